import { publicPaymentId } from '../../payments/ledger/payment-row.js';
import { authorizationOf, type PaymentPayload } from '../../payments/gate/read-payment.js';
import { encodeJsonHeader } from '../../payments/json-header.js';
import type { PaymentTerms } from '../../payments/terms.js';

/** The keys of the payment in a request and of the settlement in a result. Source: the MCP transport of x402. */
export const paymentKey = 'x402/payment';
export const paymentResponseKey = 'x402/payment-response';

/** A payment as HTTP headers, so that the same gate verifies it. Empty without a payment. */
export function paymentHeaders(payment: unknown): readonly string[] {
  return payment === undefined ? [] : [encodeJsonHeader(payment)];
}

/**
 * The public id of a payment that bought a reply on this network. The payment's own claims about network and asset are
 * ignored.
 */
export function paymentIdIn(payment: unknown, { id: network, asset }: PaymentTerms['network']): string | undefined {
  if (payment === undefined) return undefined;
  // The gate has accepted it, so it is a PaymentPayload.
  const { from: payer, nonce } = authorizationOf(payment as PaymentPayload);
  return publicPaymentId({ network, asset: `0x${asset.slice(2).toLowerCase()}`, payer, nonce });
}

/** The settlement in an HTTP header, as an object; undefined when missing. */
export function settlementIn(header: string | undefined): Record<string, unknown> | undefined {
  return header === undefined
    ? undefined
    : (JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as Record<string, unknown>);
}
