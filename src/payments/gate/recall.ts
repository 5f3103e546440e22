import type { ServiceError } from '../../errors.js';
import { searchSeconds } from '../chain/find-transfer.js';
import { publicPaymentId } from '../ledger/payment-row.js';
import { namePayment, outcomeUnknown } from '../payment-errors.js';
import type { PaidReply, PaymentMachine } from '../payment-machine.js';
import { askEvidence, type Evidence } from '../settlement/resolve-open-payment.js';
import type { BoundPayment, VerifiedPayment } from '../verified-payment.js';

export interface RecallPorts {
  readonly evidence: Evidence;
  readonly machine: Pick<PaymentMachine, 'find' | 'resume'>;
  readonly now: () => Date;
}

/** The authorization is in the ledger already, and its buyer gets this reply. */
export interface Redelivered {
  readonly kind: 'redelivered';
  readonly reply: PaidReply;
}

/** How long after its window an authorization that the ledger does not know is still looked for on the chain. */
const searchAfterExpiryMs = 3_600_000;

/** Asks the ledger and the chain about payments; only for authorizations that their payer has signed. */
export function createRecall({ evidence, machine, now }: RecallPorts) {
  /** The stored reply; undefined if the ledger has no claim, or a released one. @throws ServiceError as `resume` */
  async function recall(payment: BoundPayment): Promise<PaidReply | undefined> {
    const row = await machine.find(payment);
    return row && row.state !== 'released' ? machine.resume(row, payment) : undefined;
  }

  /**
   * The stored reply, or the payment as verified if the chain proves that a third party has submitted it.
   *
   * @throws ServiceError the refusal, or `settlement_unknown` if the money may have moved
   */
  async function resolveRefused(payment: BoundPayment, refusal: ServiceError): Promise<VerifiedPayment | Redelivered> {
    const row = await machine.find(payment);
    if (row && row.state !== 'released') return { kind: 'redelivered', reply: await machine.resume(row, payment) };
    // Anyone may submit an authorization, so one whose nonce is used, or that has expired since, may have paid us. One
    // that was claimed may have been submitted, whatever this instance's clock says of its window.
    const mayHavePaid =
      refusal.reason === 'payment_already_used' ||
      (row === undefined ? hasExpired(refusal) && isRecent(payment, now()) : isOutOfWindow(refusal));
    if (!mayHavePaid) throw refusal;
    return admitSettled(payment, row?.searchFrom, refusal);
  }

  /**
   * A transfer that a third party submitted counts as payment, since payTo takes payments for this service only. Only
   * the chain's proof counts; without proof either way the buyer is not asked for another payment.
   */
  async function admitSettled(payment: BoundPayment, searchFrom: Date | undefined, refusal: ServiceError) {
    const { to: payTo, value: amount, validBefore } = payment.authorization;
    const found = await askEvidence(evidence, { ...payment.key, payTo, amount, validBefore, searchFrom });
    if (found.verdict === 'settled')
      return { ...payment, unusedUntil: searchFrom ?? searchStart(validBefore, now()), wasSubmittedByThirdParty: true };
    if (found.verdict === 'unknown' || (found.verdict === 'open' && refusal.reason === 'payment_already_used'))
      throw namePayment(outcomeUnknown(), publicPaymentId(payment.key));
    throw namePayment(refusal, publicPaymentId(payment.key));
  }

  return { recall, resolveRefused };
}

/** Where the search of the chain begins that found a payment. */
function searchStart(validBefore: bigint, now: Date): Date {
  return new Date(Math.min(Number(validBefore) * 1000, now.getTime()) - searchSeconds * 1000);
}

function isRecent({ authorization }: BoundPayment, now: Date): boolean {
  return Number(authorization.validBefore) * 1000 > now.getTime() - searchAfterExpiryMs;
}

function hasExpired({ reason, details }: ServiceError): boolean {
  return (
    reason === 'payment_expired' || details.paymentError === 'invalid_exact_evm_payload_authorization_valid_before'
  );
}

function isOutOfWindow(refusal: ServiceError): boolean {
  return hasExpired(refusal) || refusal.details.paymentError === 'invalid_exact_evm_payload_authorization_valid_after';
}
