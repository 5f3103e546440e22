import type { ServiceError } from '../../errors.js';
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

/** What the ledger and the chain know of a payment. Ask only for authorizations that their payer has signed. */
export interface Recall {
  /** The stored reply; undefined if the ledger has no claim, or a released one. @throws ServiceError as `resume` */
  recall(payment: BoundPayment): Promise<PaidReply | undefined>;
  /**
   * The stored reply, or the payment as verified if the chain proves that a third party has submitted it.
   *
   * @throws ServiceError the refusal, or `settlement_unknown` if the money may have moved
   */
  recallOrRefuse(payment: BoundPayment, refusal: ServiceError): Promise<VerifiedPayment | Redelivered>;
}

/** How long after its window an authorization that the ledger does not know is still looked for on the chain. */
const searchedMs = 3_600_000;

export function createRecall({ evidence, machine, now }: RecallPorts): Recall {
  async function recall(payment: BoundPayment): Promise<PaidReply | undefined> {
    const row = await machine.find(payment);
    return row && row.state !== 'released' ? machine.resume(row, payment) : undefined;
  }

  async function recallOrRefuse(payment: BoundPayment, refusal: ServiceError): Promise<VerifiedPayment | Redelivered> {
    const row = await machine.find(payment);
    if (row && row.state !== 'released') return { kind: 'redelivered', reply: await machine.resume(row, payment) };
    // A used nonce may have paid us, and so may one that has expired since: anyone may send it. What was claimed once
    // may have been sent, whatever this instance's clock says of its window.
    const mayHavePaid =
      refusal.reason === 'payment_already_used' ||
      (row === undefined ? hasExpired(refusal) && isRecent(payment, now()) : isOutOfWindow(refusal));
    if (!mayHavePaid) throw refusal;
    return admitSettled(payment, row?.fromBlock, refusal);
  }

  /**
   * What somebody else has sent is paid all the same, since payTo takes payments for nothing but this service. Nothing
   * but the chain's proof counts; what cannot be proven either way is no reason to ask for another payment.
   */
  async function admitSettled(payment: BoundPayment, fromBlock: bigint | undefined, refusal: ServiceError) {
    const { to: payTo, value: amount, validBefore } = payment.authorization;
    const found = await askEvidence(evidence, { ...payment.key, payTo, amount, validBefore, fromBlock });
    if (found.verdict === 'settled')
      return { ...payment, blockNumber: found.blockNumber, wasSubmittedByThirdParty: true };
    if (found.verdict === 'unknown' || (found.verdict === 'open' && refusal.reason === 'payment_already_used'))
      throw namePayment(outcomeUnknown(), publicPaymentId(payment.key));
    throw namePayment(refusal, publicPaymentId(payment.key));
  }

  return { recall, recallOrRefuse };
}

function isRecent({ authorization }: BoundPayment, now: Date): boolean {
  return Number(authorization.validBefore) * 1000 > now.getTime() - searchedMs;
}

function hasExpired({ reason, details }: ServiceError): boolean {
  return (
    reason === 'payment_expired' || details.paymentError === 'invalid_exact_evm_payload_authorization_valid_before'
  );
}

function isOutOfWindow(refusal: ServiceError): boolean {
  return hasExpired(refusal) || refusal.details.paymentError === 'invalid_exact_evm_payload_authorization_valid_after';
}
