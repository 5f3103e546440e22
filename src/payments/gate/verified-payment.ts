import { createHash } from 'node:crypto';
import type { Authorization } from '../chain/eip3009.js';
import type { ContractOperation } from '../../contract/contract.js';
import type { PaymentKey } from '../ledger/ledger.js';
import { readPaymentIdentifier, type HashClientId } from './payment-identifier.js';
import { authorizationOf, type PaymentPayload } from './payment-header.js';
import type { PaymentRequirements } from './terms.js';

/** A verified payment that may now be used for one reply. */
export interface VerifiedPayment {
  readonly key: PaymentKey;
  readonly authorization: Authorization;
  readonly binding: Uint8Array;
  readonly operationId: string;
  readonly requirements: PaymentRequirements;
  /** No transfer of the authorization is in an older block. */
  readonly fromBlock: bigint;
  /** The buyer's own identifier of this payment, as a keyed hash. */
  readonly clientIdHash: Uint8Array | undefined;
  /** The chain has shown that the authorization has paid us, sent by somebody else, for nothing that was sold yet. */
  readonly isSentElsewhere?: boolean;
}

/**
 * Binds a payment to the operation, the canonical parameters and the price; nothing of it is checked here but the form
 * of the buyer's own identifier.
 *
 * @throws ServiceError `payment_invalid`
 */
export function createVerifiedPayment(
  operation: ContractOperation,
  requirements: PaymentRequirements,
  payload: PaymentPayload,
  canonical: string,
  hashClientId: HashClientId,
): VerifiedPayment {
  const authorization = authorizationOf(payload);
  const clientId = readPaymentIdentifier(payload);
  // The price that was signed, not today's: a retry after a change of prices is still the same purchase.
  const bound = `${operation.method} ${operation.path}\n${canonical}\n${authorization.value}`;
  return {
    key: {
      network: requirements.network,
      asset: `0x${requirements.asset.slice(2).toLowerCase()}`,
      payer: authorization.from,
      nonce: authorization.nonce,
    },
    authorization,
    binding: createHash('sha256').update(bound).digest(),
    operationId: operation.operationId,
    requirements,
    fromBlock: 0n,
    clientIdHash: clientId === undefined ? undefined : hashClientId(authorization.from, clientId),
  };
}
