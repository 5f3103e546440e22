import type { Log } from '../log.js';
import { lowerHex } from './chain/eip3009.js';
import type { OfferReceiptIssuer, ReceiptTerms, Signed } from './gate/offer-receipt.js';
import type { PaymentRow, Settlement } from './ledger/ledger.js';

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
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The value of the PAYMENT-RESPONSE header. */
export function encodeSettleResponse(response: SettleResponse): string {
  return Buffer.from(JSON.stringify(response)).toString('base64');
}

/** What is told of a settled payment; all of it stands in its row of the ledger. */
export type SettledPayment = Pick<PaymentRow, 'network' | 'payer' | 'amount' | 'operationId' | 'claimedAt'>;

/** Tells of settled payments. The same payment gives the same bytes at every telling, on every instance. */
export interface PaymentResponses {
  /** The signed receipt; undefined where none are issued, and when signing fails: a sale is never lost over it. */
  receiptOf(payment: SettledPayment, settlement: Pick<Settlement, 'transaction'>): Signed<ReceiptTerms> | undefined;
  /** The value of the PAYMENT-RESPONSE header of a paid reply, with the receipt. */
  headerOf(payment: SettledPayment, settlement: Pick<Settlement, 'transaction'>): string;
}

/**
 * Creates what tells of settled payments. A receipt names the time of the claim: it stands in the row before the
 * settlement is known, so that whoever delivers, and whenever, signs the same.
 *
 * @param resourceUrlOf address of an operation, without a query
 */
export function createPaymentResponses(
  issuer: OfferReceiptIssuer | undefined,
  resourceUrlOf: (operationId: string) => string,
  log: Log,
): PaymentResponses {
  const receiptOf: PaymentResponses['receiptOf'] = (payment, settlement) => {
    const { network, payer, operationId, claimedAt } = payment;
    const transaction = lowerHex(settlement.transaction);
    try {
      const issuedAt = Math.floor(claimedAt.getTime() / 1000);
      return issuer?.issueReceipt({ network, resourceUrl: resourceUrlOf(operationId), payer, issuedAt, transaction });
    } catch (error) {
      log.error({ err: error, payer, transaction }, 'a receipt could not be signed; the data goes without');
      return undefined;
    }
  };

  return {
    receiptOf,
    headerOf(payment, settlement) {
      const receipt = receiptOf(payment, settlement);
      return encodeSettleResponse({
        success: true,
        payer: payment.payer,
        transaction: lowerHex(settlement.transaction),
        network: payment.network,
        amount: payment.amount.toString(),
        ...(receipt && { extensions: { 'offer-receipt': { info: { receipt } } } }),
      });
    },
  };
}
