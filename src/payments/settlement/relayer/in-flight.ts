import type { TransactionReceipt } from 'viem';
import type { SignedTransaction } from './transaction-signer.js';

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
  /** True while a node has not answered yet. */
  isAsking: boolean;
  /** Since when this process has it; milliseconds since 1970. */
  takenAtMs: number;
  sentAtMs: number;
  raisedAtMs: number;
  /** Since when its nonce is known to be used, and no receipt of any variant is found; milliseconds since 1970. */
  missingSinceMs: number | undefined;
  /** Mined, but not deep enough yet. */
  receipt: TransactionReceipt | undefined;
  /** Called once or more; the first counts. */
  finish(relayed: Relayed): void;
}

/** Takes the nonce of what was signed for it, oldest variant first. */
export function createInFlight(
  variants: readonly [SignedTransaction, ...SignedTransaction[]],
  nowMs: number,
  finish: (relayed: Relayed) => void = () => undefined,
): InFlight {
  return {
    nonce: variants[0].nonce,
    variants: [...variants],
    mayBeOut: false,
    isDoubtful: false,
    isAsking: false,
    takenAtMs: nowMs,
    sentAtMs: nowMs,
    raisedAtMs: nowMs,
    missingSinceMs: undefined,
    receipt: undefined,
    finish,
  };
}

/** The variant with the highest fees: the one that nodes keep. */
export function newestOf({ variants }: InFlight): SignedTransaction {
  const newest = variants.at(-1);
  if (!newest) throw new Error('Whatever is in flight was signed');
  return newest;
}
