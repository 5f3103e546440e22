import type { Authorization } from '../chain/eip3009.js';
import type { Funds } from '../ledger/ledger.js';

/**
 * What is known after an attempt to settle. `unknown` must never become a fresh request for payment; its `reason` is
 * the code with which the attempt was refused, where it was, which proves nothing.
 */
export type SettleOutcome =
  | {
      readonly outcome: 'settled';
      readonly transaction: `0x${string}`;
      readonly blockNumber: bigint;
      /** What this service has paid for it, where it has. */
      readonly feeGwei?: bigint;
    }
  | {
      readonly outcome: 'failed';
      readonly reason: string;
      readonly detail: string;
      /** Its transfer was mined and paid nothing: what that burned, in units of gas. It is never sent again. */
      readonly burnedGas?: bigint;
      /** It has burned the gas of a transaction that others shared. */
      readonly burnedShared?: boolean;
    }
  | { readonly outcome: 'unknown'; readonly detail: string; readonly reason?: string };

/**
 * What the chain says of an authorization before it is used, with the time of the newest block. The reason
 * `nonce_used` is ours; all others are codes of x402. `unavailable`: `by` whom the question could not be answered.
 */
export type Verdict =
  | {
      readonly verdict: 'good';
      readonly chainTime: Date;
      readonly payerCode?: PayerCode;
      /** Undefined where a facilitator settles. */
      readonly funds?: Funds;
    }
  | { readonly verdict: 'refused'; readonly reason: string; readonly detail: string }
  | { readonly verdict: 'unavailable'; readonly by: SettlingPart; readonly detail: string };

/** Who settles or verifies: this service on the operator's own node, or a facilitator. */
export type SettlingPart = 'chain' | 'facilitator';

/** Whether an account is a smart contract or acts as one (EIP-7702), with the gas that its transfer may use. */
export type PayerCode = { readonly kind: 'none' } | { readonly kind: 'some'; readonly gas: bigint };

/** What an authorization buys. */
export interface SoldCall {
  readonly operationId: string;
  /** The address of what was asked for, below PUBLIC_BASE_URL. */
  readonly resource: string;
}

/** The claim for which a payment is settled. */
export interface Attempt extends SoldCall {
  /** The owner of the claim's lease: nothing new is signed once another owns it. */
  readonly leaseOwner: string;
  /** An earlier owner may have sent it: what that one kept is followed to its end before anything new is signed. */
  readonly isTakenOver: boolean;
  /** Others may be settled in the same transaction. */
  readonly mayShare: boolean;
  /** How much gas its transfer may use where it goes alone. */
  readonly gas: bigint | undefined;
}

/** The attempt of whoever takes a payment over, and knows nothing of its payer. */
export function takenOver({ operationId, resource, leaseOwner }: SoldCall & Pick<Attempt, 'leaseOwner'>): Attempt {
  return { operationId, resource, leaseOwner, isTakenOver: true, mayShare: false, gas: undefined };
}

/** Turns a signed authorization into money. Chosen by configuration. `sold`: what it buys, where that is to be told. */
export interface Settler {
  /** Who is at fault when surely nothing was sent. */
  readonly by: SettlingPart;
  /** The chain's verdict, by simulating the real transfer, and that of whoever settles. Writes nothing. */
  verify(authorization: Authorization, sold?: SoldCall): Promise<Verdict>;
  /**
   * Submits the transfer and waits for its proof: AuthorizationUsed(payer, nonce) with the Transfer of the exact value
   * to payTo.
   */
  settle(authorization: Authorization, attempt: Attempt): Promise<SettleOutcome>;
  /** Ends timers and connections. */
  close(): Promise<void>;
}

const unavailableNow = 'there is no chain, or no relayer key';

/** Refuses every payment before anything is sent. */
export const unavailable: Settler = {
  by: 'chain',
  verify: async () => ({ verdict: 'unavailable', by: 'chain', detail: unavailableNow }),
  settle: async () => ({ outcome: 'failed', reason: 'unexpected_settle_error', detail: unavailableNow }),
  close: async () => undefined,
};
