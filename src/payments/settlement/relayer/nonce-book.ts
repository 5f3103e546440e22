import type { TransactionReceipt } from 'viem';
import type { Hex } from '../../chain/eip3009.js';
import type { Fees } from './fee-reader.js';
import type { CarriedPayment } from './relayer-store.js';

/** What a transaction does. No ether is ever sent. */
export interface Call {
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
}

/** A signed transaction, to be kept before it is sent: whoever has it can send it again. */
export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
  readonly nonce: number;
  readonly call: Call;
  readonly fees: Fees;
}

/** What became of a call that was given to the relayer. */
export type Relayed =
  /**
   * Its nonce is used by one of its variants, whatever the receipt says of success; nothing else of it can be mined.
   */
  | { readonly outcome: 'mined'; readonly receipt: TransactionReceipt }
  /** Another transaction has its nonce, used in this block at the latest: nothing of it can be mined. */
  | { readonly outcome: 'displaced'; readonly blockNumber: bigint }
  /** Surely nobody has it, and nobody will. */
  | { readonly outcome: 'refused'; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** A nonce that is taken, with all that was signed for it. */
export interface InFlight {
  readonly nonce: number;
  /**
   * The same call at rising fees, the newest last; at the end perhaps a transfer of nothing, that gives the call up.
   */
  readonly variants: SignedTransaction[];
  /** True once any variant may be with a node: from then on only the chain can say what becomes of it. */
  mayBeOut: boolean;
  /** True when the last sending was not answered: perhaps no node has it, and all that follow wait for it. */
  isDoubtful: boolean;
  /** True while a node has not answered yet, or what it refused is not retracted yet: nobody else sends it. */
  isAsking: boolean;
  /**
   * True once its call may be gone from the store: no node has had it, and none may get it. A transfer of nothing takes
   * its nonce.
   */
  isForgotten: boolean;
  /** The payments that its call settles. */
  readonly carries: readonly CarriedPayment[];
  /** From then on a transfer of nothing takes its nonce. All these times are of a monotonic clock. */
  readonly giveUpAtMs: number;
  sentAtMs: number;
  /** How often it was handed to the node. */
  sent: number;
  raisedAtMs: number;
  /** Since when its nonce is known to be used, and no receipt of any variant is found. */
  missingSinceMs: number | undefined;
  /** Mined, but not deep enough yet. */
  receipt: TransactionReceipt | undefined;
  /** The outcome of its call. */
  readonly relayed: Promise<Relayed>;
  /** Called once or more; the first counts. */
  finish(relayed: Relayed): void;
}

/** Takes the nonce of what was signed for it, oldest variant first. */
export function createInFlight(
  variants: readonly [SignedTransaction, ...SignedTransaction[]],
  { carries, giveUpAtMs }: Pick<InFlight, 'carries' | 'giveUpAtMs'>,
  nowMs: number,
): InFlight {
  let finish: InFlight['finish'] = () => undefined;
  const relayed = new Promise<Relayed>((resolve) => (finish = resolve));
  return {
    nonce: variants[0].nonce,
    variants: [...variants],
    mayBeOut: false,
    isDoubtful: false,
    isAsking: false,
    isForgotten: false,
    carries,
    giveUpAtMs,
    sentAtMs: nowMs,
    sent: 0,
    raisedAtMs: nowMs,
    missingSinceMs: undefined,
    receipt: undefined,
    relayed,
    finish,
  };
}

/** The variant with the highest fees: the one that nodes keep. */
export function newestOf({ variants }: Pick<InFlight, 'variants'>): SignedTransaction {
  const newest = variants.at(-1);
  if (!newest) throw new Error('Whatever is in flight was signed');
  return newest;
}

/** Which nonces of a key are taken, and by what. */
export type NonceBook = ReturnType<typeof createNonceBook>;

/**
 * Creates an empty book; fill it from the chain before the first nonce is taken.
 *
 * @param moved called with the first entry (`isNew`), with the last one that goes, and whenever one is mined
 */
export function createNonceBook(moved: (isNew: boolean) => void = () => undefined) {
  const entries = new Map<number, InFlight>();
  let minedCount = 0;

  function remove(entry: InFlight): void {
    if (entries.get(entry.nonce) !== entry) return;
    entries.delete(entry.nonce);
    if (entries.size === 0) moved(false);
  }

  return {
    /** The lowest nonce that is free: a gap first. */
    next(): number {
      let nonce = minedCount;
      while (entries.has(nonce)) nonce += 1;
      return nonce;
    },
    add(entry: InFlight) {
      entries.set(entry.nonce, entry);
      if (entries.size === 1) moved(true);
    },
    remove,
    /** The receipt of one of its variants ends an entry. */
    conclude(entry: InFlight, receipt: TransactionReceipt) {
      remove(entry);
      minedCount = Math.max(minedCount, entry.nonce + 1);
      moved(false);
      const mined = entry.variants.find(({ hash }) => hash === receipt.transactionHash);
      // A transfer of nothing: the call was given up, and nothing of it can be mined.
      const isGivenUp = mined?.call.data === '0x';
      entry.finish(
        isGivenUp ? { outcome: 'displaced', blockNumber: receipt.blockNumber } : { outcome: 'mined', receipt },
      );
    },
    /** Another transaction has the nonce of an entry, used in this block at the latest. */
    displace(entry: InFlight, blockNumber: bigint) {
      remove(entry);
      moved(false);
      entry.finish({ outcome: 'displaced', blockNumber });
    },
    find: (nonce: number) => entries.get(nonce),
    /** In the order of their nonces. */
    list: (): readonly InFlight[] => [...entries.values()].sort((one, other) => one.nonce - other.nonce),
    get size() {
      return entries.size;
    },
    /** How many nonces the chain has used, as far as was seen. */
    get mined() {
      return minedCount;
    },
    sawMined: (count: number) => void (minedCount = Math.max(minedCount, count)),
    /** The chain has gone back: a nonce from `count` on that is not in the book leaves a gap. */
    setMined: (count: number) => void (minedCount = count),
    /** The free nonces below the last that is taken: as long as they are free, nothing above them is mined. */
    gaps(): readonly number[] {
      const free: number[] = [];
      const last = Math.max(...entries.keys());
      for (let nonce = minedCount; nonce < last; nonce += 1) if (!entries.has(nonce)) free.push(nonce);
      return free;
    },
  };
}
