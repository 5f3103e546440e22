import type { Authorization } from '../chain/eip3009.js';
import type { Funds } from '../ledger/ledger.js';

/*
 * The results of one sale, in the order in which they are made:
 *
 * | type               | values                                         | made by               | becomes            |
 * |--------------------|------------------------------------------------|-----------------------|--------------------|
 * | Verdict            | good, refused, unavailable                     | verify-transfer.ts    | admission, refusal |
 * | ClaimResult        | claimed, known, stale, and refusals of a claim | claim-store.ts        | settling, Charge   |
 * | SubmitAnswer       | mined, accepted, refused, doubtful             | submit-transaction.ts | TransactionOutcome |
 * | TransactionOutcome | mined, displaced, refused, unknown             | nonce-book.ts         | TransferResult     |
 * | AuthorizationState | settled, diverted, cancelled, open, expired,   | find-transfer.ts      | TransferResult,    |
 * |                    | reorged, unproven                              |                       | ChainEvidence      |
 * | TransferResult     | unharmed, or a SettleOutcome                   | settle-transfer.ts    | SettleOutcome      |
 * | ChainEvidence      | settled, diverted, cancelled, open, expired,   | chain-evidence.ts     | SettleOutcome      |
 * |                    | gone, unknown                                  |                       |                    |
 * | SettleOutcome      | settled, failed, unknown                       | a settler             | Charge             |
 * | Charge             | settled, refused, unknown, stale               | payment-machine.ts    | reply, refusal     |
 */

/**
 * The outcome of an attempt to settle. `unknown` must never become a new request for payment; its `reason` is the code
 * of a refusal, which proves nothing.
 */
export type SettleOutcome =
  | {
      readonly outcome: 'settled';
      readonly transaction: `0x${string}`;
      readonly blockNumber: bigint;
      /** The fee that this service paid. Undefined: another party paid it, or it is not known. */
      readonly feeGwei?: bigint;
    }
  | {
      readonly outcome: 'failed';
      readonly reason: string;
      readonly detail: string;
      /** The gas of a transfer that was mined and paid nothing; it is never sent again. */
      readonly burnedGas?: bigint;
      /** True if it burned the gas of a shared transaction. */
      readonly burnedShared?: boolean;
    }
  | { readonly outcome: 'unknown'; readonly detail: string; readonly reason?: string };

/**
 * The chain's verdict on an unused authorization, with the time of the newest block. The reason `nonce_used` is ours;
 * all others are codes of x402. `unavailable`: `by` did not answer.
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

/** The part that settles or verifies: this service on the operator's own node, or a facilitator. */
export type SettlingPart = 'chain' | 'facilitator';

/** Whether an account is a smart contract or acts as one (EIP-7702), with the gas that its transfer may use. */
export type PayerCode = { readonly kind: 'none' } | { readonly kind: 'some'; readonly gas: bigint };

/** The call that an authorization buys. */
export interface SoldCall {
  readonly operationId: string;
  /** The address of the request, below PUBLIC_BASE_URL. */
  readonly resource: string;
}

/** The claim for which a payment is settled. */
export interface Attempt extends SoldCall {
  /** The owner of the claim's lease: nothing new is signed once another owns it. */
  readonly leaseOwner: string;
  /** An earlier owner may have sent it: its kept transaction is followed to the end before a new one is signed. */
  readonly isTakenOver: boolean;
  /** Others may be settled in the same transaction. */
  readonly mayShare: boolean;
  /** How much gas its transfer may use where it goes alone. */
  readonly gas: bigint | undefined;
}

/** The attempt of an owner that has taken the payment over, and knows nothing about its payer. */
export function takenOver({ operationId, resource, leaseOwner }: SoldCall & Pick<Attempt, 'leaseOwner'>): Attempt {
  return { operationId, resource, leaseOwner, isTakenOver: true, mayShare: false, gas: undefined };
}

/** Turns a signed authorization into money. Chosen by configuration. `sold`: the call for a facilitator's catalog. */
export interface Settler {
  /** The part at fault when surely nothing was sent. */
  readonly by: SettlingPart;
  /** The chain's verdict, by simulating the real transfer, and the facilitator's, if one settles. Writes nothing. */
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
