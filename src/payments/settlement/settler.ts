import type { Authorization } from '../chain/eip3009.js';

/**
 * What is known after an attempt to settle. `unknown` must never become a fresh request for payment; its `reason` is
 * the code with which the attempt was refused, where it was, which proves nothing.
 */
export type SettleOutcome =
  | { readonly outcome: 'settled'; readonly transaction: `0x${string}`; readonly blockNumber: bigint }
  | { readonly outcome: 'failed'; readonly reason: string; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string; readonly reason?: string };

/**
 * What the chain says of an authorization before it is used, with the newest block it was asked at. The reason
 * `nonce_used` is ours; all others are codes of x402. `unavailable`: the question could not be asked.
 */
export type Verdict =
  | { readonly verdict: 'good'; readonly blockNumber: bigint }
  | { readonly verdict: 'refused'; readonly reason: string; readonly detail: string }
  | { readonly verdict: 'unavailable'; readonly detail: string };

/** What an authorization buys. */
export interface SoldCall {
  readonly operationId: string;
  /** The address of what was asked for, below PUBLIC_BASE_URL. */
  readonly resource: string;
}

/** Turns a signed authorization into money. Chosen by configuration. `sold`: what it buys, where that is to be told. */
export interface Settler {
  /** The chain's verdict, by simulating the real transfer, and that of whoever settles. Writes nothing. */
  verify(authorization: Authorization, sold?: SoldCall): Promise<Verdict>;
  /**
   * Submits the transfer and waits for its proof: AuthorizationUsed(payer, nonce) with the Transfer of the exact value
   * to payTo.
   */
  settle(authorization: Authorization, sold?: SoldCall): Promise<SettleOutcome>;
  /** Ends timers and connections. */
  close(): Promise<void>;
}
