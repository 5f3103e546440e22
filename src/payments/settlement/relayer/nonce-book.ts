import type { TransactionReceipt } from 'viem';
import type { Hex } from '../../chain/eip3009.js';
import type { Fees } from './fee-reader.js';
import type { CarriedPayment } from './relayer-store.js';

/** The call of a transaction. It never sends ether. */
export interface Call {
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
}

/** A signed transaction, kept before it is sent: any process that reads it can send it again. */
export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
  readonly nonce: number;
  readonly call: Call;
  readonly fees: Fees;
}

/** The outcome of a call that the relayer took. */
export type TransactionOutcome =
  /**
   * One of its variants has used its nonce, whether or not the receipt reports success; no other variant can be mined.
   */
  | { readonly outcome: 'mined'; readonly receipt: TransactionReceipt }
  /** Another transaction has used its nonce, in this block at the latest: no variant can be mined. */
  | { readonly outcome: 'displaced'; readonly blockNumber: bigint }
  /** Surely no node has it or will have it. */
  | { readonly outcome: 'refused'; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** A taken nonce, with all transactions that were signed for it. */
export interface InFlight {
  readonly nonce: number;
  /**
   * The same call at rising fees, the newest last; at the end perhaps a transfer of nothing, which gives the call up.
   */
  readonly variants: SignedTransaction[];
  /** True once a node may have any variant: from then on only the chain decides its outcome. */
  mayBeOut: boolean;
  /** True when the last sending was not answered: perhaps no node has it, and all later nonces wait for it. */
  isDoubtful: boolean;
  /** True until the node has answered and a refused transaction is retracted: no other caller sends it meanwhile. */
  isAsking: boolean;
  /**
   * True once the store may lack its call: no node has it, and none may get it. A transfer of nothing takes its nonce.
   */
  isForgotten: boolean;
  /** The payments that its call settles. */
  readonly carries: readonly CarriedPayment[];
  /** When a transfer of nothing takes its nonce. All these times are of a monotonic clock. */
  readonly giveUpAtMs: number;
  sentAtMs: number;
  /** How often it was handed to the node. */
  sent: number;
  raisedAtMs: number;
  /** Since when its nonce is used and no receipt of a variant is found. */
  missingSinceMs: number | undefined;
  /** Mined, but not deep enough yet. */
  receipt: TransactionReceipt | undefined;
  /** The outcome of its call. */
  readonly relayed: Promise<TransactionOutcome>;
  /** Called once or more; the first counts. */
  finish(relayed: TransactionOutcome): void;
}

/** Creates the entry of a nonce from its transactions, the oldest variant first. */
export function createInFlight(
  variants: readonly [SignedTransaction, ...SignedTransaction[]],
  { carries, giveUpAtMs }: Pick<InFlight, 'carries' | 'giveUpAtMs'>,
  nowMs: number,
): InFlight {
  let finish: InFlight['finish'] = () => undefined;
  const relayed = new Promise<TransactionOutcome>((resolve) => (finish = resolve));
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

/** The taken nonces of a key, with their transactions. */
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
    /** The number of nonces that the chain was seen to have used. */
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
