import type { Authorization } from './chain/eip3009.js';
import type { Funds, PaymentKey } from './ledger/ledger.js';
import type { PayerCode } from './settlement/settler.js';

/** A payment as the request presents it, bound to what it asks for. Neither signature nor terms are verified yet. */
export interface BoundPayment {
  readonly key: PaymentKey;
  readonly authorization: Authorization;
  /** SHA-256 over operation, canonical parameters and price. */
  readonly binding: Uint8Array;
  readonly operationId: string;
  /** The address of what is asked for, below PUBLIC_BASE_URL. */
  readonly resource: string;
  /** The buyer's own identifier of this payment, as a keyed hash. */
  readonly clientIdHash: Uint8Array | undefined;
}

/** A payment whose signature and terms are good; it may now be used for one reply. */
export interface VerifiedPayment extends BoundPayment {
  /** No transfer of it is older, by the chain's time: it was unused then, or was not looked for before. */
  readonly unusedUntil: Date;
  /** Undefined where nobody looked. */
  readonly payerCode?: PayerCode | undefined;
  /** What the payer held when the chain was asked; undefined where a facilitator settles. */
  readonly funds?: Funds | undefined;
  /** The chain proves that a third party has submitted the authorization, and nothing was sold for it yet. */
  readonly wasSubmittedByThirdParty?: boolean;
}
