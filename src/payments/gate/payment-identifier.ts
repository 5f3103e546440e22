import { createHmac } from 'node:crypto';
import type { Hex } from '../chain/eip3009.js';
import { ServiceError } from '../../errors.js';
import type { PaymentPayload } from './payment-header.js';

/** Name of the x402 extension by which a buyer gives a payment an identifier of its own. */
export const paymentIdentifier = 'payment-identifier';

/** Keeps the buyer's identifier from everybody: what is stored tells nothing without the key. */
export type HashClientId = (payer: Hex, id: string) => Uint8Array;

/** Creates the keyed hash of identifiers. `key`: the one of the database's hashes. */
export function createClientIdHash(key: string): HashClientId {
  return (payer, id) => createHmac('sha256', key).update(`${paymentIdentifier}\n${payer}\n${id}`).digest();
}

/**
 * The buyer's identifier in a payload (x402 extension payment-identifier); undefined where the extension is missing or
 * merely echoed.
 *
 * @throws ServiceError `payment_invalid` when it is no identifier that the extension allows; the identifier itself is
 *   a secret and not repeated.
 */
export function readPaymentIdentifier({ extensions }: PaymentPayload): string | undefined {
  const extension = memberOf(extensions, paymentIdentifier);
  const id = memberOf(memberOf(extension, 'info'), 'id');
  if (id === undefined) return undefined;
  if (typeof id === 'string' && /^[A-Za-z0-9_-]{16,128}$/.test(id)) return id;
  throw new ServiceError(
    'payment_invalid',
    'The id of the payment-identifier extension must be a text of 16 to 128 letters, digits, hyphens and underscores. ' +
      'The payment was not used: send it again with such an id, or without one.',
    { payment: 'not_settled', paymentError: 'invalid_payload' },
  );
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
