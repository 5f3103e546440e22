import type { Authorization } from './chain/eip3009.js';
import type { PaymentKey } from './ledger/ledger.js';

/** A payment whose signature and terms are good; it may now be used for one reply. */
export interface VerifiedPayment {
  readonly key: PaymentKey;
  readonly authorization: Authorization;
  /** SHA-256 over operation, canonical parameters and price. */
  readonly binding: Uint8Array;
  readonly operationId: string;
  /** No transfer of the authorization is in an older block. */
  readonly fromBlock: bigint;
  /** The buyer's own identifier of this payment, as a keyed hash. */
  readonly clientIdHash: Uint8Array | undefined;
  /** The chain has shown that the authorization has paid us, sent by somebody else, for nothing that was sold yet. */
  readonly isSentElsewhere?: boolean;
}
