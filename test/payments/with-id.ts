import { appendPaymentIdentifierToExtensions, declarePaymentIdentifierExtension } from '@x402/extensions';
import { encodePayment } from '../support/pay.js';
import { payloadIn } from './shop.js';

/** What the offer says of identifiers. */
export const declared = { 'payment-identifier': declarePaymentIdentifierExtension(false) };

/**
 * The payment as the official client sends it with an identifier of its own: the offer's extensions echoed, the id
 * added.
 */
export function withId(header: string, id: string): string {
  const extensions = appendPaymentIdentifierToExtensions(structuredClone(declared) as Record<string, unknown>, id);
  return encodePayment({ ...payloadIn(header), extensions });
}
