import type { Authorization } from './chain/eip3009.js';
import type { Funds, PaymentKey } from './ledger/ledger.js';
import type { PayerCode } from './settlement/settler.js';

/** A payment bound to its request. Neither signature nor terms are verified yet. */
export interface BoundPayment {
  readonly key: PaymentKey;
  readonly authorization: Authorization;
  /** SHA-256 over operation, canonical parameters and price. */
  readonly binding: Uint8Array;
  readonly operationId: string;
  /** The address of the request, below PUBLIC_BASE_URL. */
  readonly resource: string;
  /** The buyer's own identifier of this payment, as a keyed hash. */
  readonly clientIdHash: Uint8Array | undefined;
}

/** A payment whose signature and terms are good; it may now be used for one reply. */
export interface VerifiedPayment extends BoundPayment {
  /** Chain time of the last check that found it unused; search from here. */
  readonly unusedUntil: Date;
  /** Undefined if it was not read. */
  readonly payerCode?: PayerCode | undefined;
  /** The payer's funds at that time; undefined where a facilitator settles. */
  readonly funds?: Funds | undefined;
  /** True if the chain proves that a third party has submitted the authorization, and nothing was sold for it yet. */
  readonly wasSubmittedByThirdParty?: boolean;
}
