import { createHash } from 'node:crypto';
import { paymentName } from './payment-row.js';
import type { PaymentKey } from './ledger.js';

/**
 * The public id of a payment: SHA-256 over the text `network/asset/payer/nonce`, all in lower case, hex with 0x. Whoever
 * signed the authorization can compute it before anything is sent; it reveals neither reply nor signature.
 */
export function paymentIdOf(key: PaymentKey): Buffer {
  return createHash('sha256').update(paymentName(key)).digest();
}
