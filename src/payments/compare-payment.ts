import type { PaymentRow } from './ledger/ledger.js';
import type { BoundPayment } from './verified-payment.js';

/**
 * How a request matches the ledger's row of its authorization.
 *
 * - repetition: it carries the payment's own identifier, and all else is the same.
 * - conflict: it carries the payment's identifier with something else.
 * - unidentified: the payment has an identifier, and the request lacks it. A settled signature is public, so that its
 *   sender need not be the buyer.
 * - plain: the payment has no identifier.
 */
export type PaymentMatch = 'repetition' | 'conflict' | 'unidentified' | 'plain';

/** Compares a request with the row of its authorization. */
export function comparePayment(row: PaymentRow, payment: BoundPayment): PaymentMatch {
  if (row.clientIdHash === undefined) return 'plain';
  if (payment.clientIdHash === undefined || !isSame(row.clientIdHash, payment.clientIdHash)) return 'unidentified';
  const isSameRequest = row.binding !== undefined && isSame(row.binding, payment.binding);
  return isSameRequest && hasSamePayload(row, payment) ? 'repetition' : 'conflict';
}

function hasSamePayload(row: PaymentRow, { authorization }: BoundPayment): boolean {
  return (
    row.signature === authorization.signature &&
    row.amount === authorization.value &&
    row.payTo === authorization.to &&
    row.validAfter === authorization.validAfter &&
    row.validBefore === authorization.validBefore
  );
}

/** Compares two hashes. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
