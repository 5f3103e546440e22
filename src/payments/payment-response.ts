import type { Log } from '../log.js';
import { lowerHex } from './chain/eip3009.js';
import type { OfferReceiptIssuer, ReceiptTerms, Signed } from './offer-receipt.js';
import { encodeJsonHeader } from './json-header.js';
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

/** The columns of a settled payment that a response or receipt shows. */
export type SettledPayment = Pick<PaymentRow, 'network' | 'payer' | 'amount' | 'resource' | 'claimedAt'>;

type Settled = Pick<Settlement, 'transaction'>;

/**
 * The value of the PAYMENT-RESPONSE header of a paid reply. The same payment gives the same bytes each time, on every
 * instance.
 */
export function encodeSettled(payment: SettledPayment, settlement: Settled, receipt: Receipt | undefined): string {
  return encodeJsonHeader({
    success: true,
    payer: payment.payer,
    transaction: lowerHex(settlement.transaction),
    network: payment.network,
    amount: payment.amount.toString(),
    ...(receipt && { extensions: { 'offer-receipt': { info: { receipt } } } }),
  } satisfies SettleResponse);
}

export type Receipt = Signed<ReceiptTerms>;

/** The signed receipt of a payment; undefined if none are issued, or if signing fails: a sale is never lost over it. */
export type ReceiptOf = (payment: SettledPayment, settlement: Settled) => Receipt | undefined;

/**
 * Creates the signer of receipts. A receipt has the time of the claim, which is in the row before the settlement is
 * known. So every instance signs the same receipt at any time.
 *
 * @param resourceUrlOf public address of a resource below PUBLIC_BASE_URL
 */
export function createReceiptOf(
  issuer: OfferReceiptIssuer | undefined,
  resourceUrlOf: (resource: string) => string,
  log: Log,
): ReceiptOf {
  return (payment, settlement) => {
    const { network, payer, resource, claimedAt } = payment;
    const transaction = lowerHex(settlement.transaction);
    try {
      const issuedAt = Math.floor(claimedAt.getTime() / 1000);
      return issuer?.issueReceipt({ network, resourceUrl: resourceUrlOf(resource), payer, issuedAt, transaction });
    } catch (error) {
      log.error({ err: error, transaction }, 'a receipt could not be signed; the data goes without');
      return undefined;
    }
  };
}
