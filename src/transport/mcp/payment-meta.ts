import { publicPaymentId } from '../../payments/ledger/payment-id.js';
import { authorizationOf, type PaymentPayload } from '../../payments/gate/payment-header.js';
import type { PaymentTerms } from '../../payments/gate/terms.js';

/** Where a request carries its payment, and a result its settlement. Source: the MCP transport of x402. */
export const paymentKey = 'x402/payment';
export const paymentResponseKey = 'x402/payment-response';

/**
 * A payment as the header of HTTP would carry it, so that it is read and judged by the same gate; none where none came.
 */
export function paymentHeaders(payment: unknown): readonly string[] {
  return payment === undefined ? [] : [Buffer.from(JSON.stringify(payment)).toString('base64')];
}

/**
 * The public id of a payment on this network that has bought a reply. Whatever else the payment names is its sender's
 * word.
 */
export function paymentIdIn(payment: unknown, { id: network, asset }: PaymentTerms['network']): string | undefined {
  if (payment === undefined) return undefined;
  // The gate has sold for it: it is a PaymentPayload.
  const { from: payer, nonce } = authorizationOf(payment as PaymentPayload);
  return publicPaymentId({ network, asset: `0x${asset.slice(2).toLowerCase()}`, payer, nonce });
}

/** What a header of HTTP says of a settlement, as an object; undefined where it is missing. */
export function settlementIn(header: string | undefined): Record<string, unknown> | undefined {
  return header === undefined
    ? undefined
    : (JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as Record<string, unknown>);
}
