import type { PaymentRow, Settlement } from './ledger.js';

/** The SettleResponse of x402 v2. */
export interface SettleResponse {
  readonly success: boolean;
  readonly errorReason?: string;
  readonly payer: string;
  /** Hash of the transaction; empty on failure. */
  readonly transaction: string;
  readonly network: string;
  /** Atomic units. */
  readonly amount?: string;
}

/** The value of the PAYMENT-RESPONSE header. */
export function encodeSettleResponse(response: SettleResponse): string {
  return Buffer.from(JSON.stringify(response)).toString('base64');
}

/** What PAYMENT-RESPONSE tells of a payment. */
export type SettledPayment = Pick<PaymentRow, 'network' | 'payer' | 'amount'>;

/**
 * PAYMENT-RESPONSE of a settled payment. Made of what the ledger keeps and of nothing else, so that it is the same text
 * whenever, and on whichever instance, the reply is delivered again.
 */
export function paymentResponse({ network, payer, amount }: SettledPayment, { transaction }: Settlement): string {
  return encodeSettleResponse({ success: true, payer, transaction, network, amount: amount.toString() });
}
