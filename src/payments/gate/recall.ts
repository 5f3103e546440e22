import { isOwnFault, type ServiceError } from '../../errors.js';
import type { Limits } from '../../limits/limits.js';
import { searchSeconds } from '../chain/find-transfer.js';
import { isForSale, publicPaymentId } from '../ledger/payment-row.js';
import { namePayment, outcomeUnknown, statusOfPayment } from '../payment-errors.js';
import type { PaidReply, PaymentMachine } from '../payment-machine.js';
import { askEvidence, type Evidence, type EvidenceQuestion } from '../settlement/resolve-open-payment.js';
import type { AssertPayer } from '../status/payer-proof.js';
import type { BoundPayment, VerifiedPayment } from '../verified-payment.js';

export interface RecallPorts {
  readonly evidence: Evidence;
  readonly machine: Pick<PaymentMachine, 'find' | 'resume'>;
  readonly assertPayer: AssertPayer;
  readonly limits: Pick<Limits, 'nonceChecks'>;
  readonly now: () => Date;
}

/** The authorization is in the ledger already, and its buyer gets this reply. */
export interface Redelivered {
  readonly kind: 'redelivered';
  readonly reply: PaidReply;
}

/** How long after its window an authorization that the ledger does not know is still looked for on the chain. */
const searchAfterExpiryMs = 3_600_000;
/** Searches of the logs at the same time; others are told to come again. */
const maxSearches = 4;

export type Recall = ReturnType<typeof createRecall>;

interface Refused {
  readonly refusal: ServiceError;
  /** By the chain's word, or by the ledger's. */
  readonly isKnownUsed: boolean;
}

/**
 * Asks the ledger and the chain about payments; only for authorizations that their payer has signed. All gates of a
 * process share one, and so its limits.
 */
export function createRecall({ evidence, machine, assertPayer, limits, now }: RecallPorts) {
  let searches = 0;

  /** The stored reply; undefined if the payment may still buy one. @throws ServiceError as `resume` */
  async function recall(payment: BoundPayment): Promise<PaidReply | undefined> {
    const row = await machine.find(payment);
    return row && !isForSale(row, true) ? machine.resume(row, payment) : undefined;
  }

  /**
   * The stored reply; or, for whoever proves to be the payer, the payment as verified if the chain proves that a third
   * party has submitted it. Its signature is public then, and proves nothing.
   *
   * @param proofs the SIGN-IN-WITH-X header, once per occurrence
   * @throws ServiceError the refusal, a challenge to sign in, or `settlement_unknown` if the money may have moved
   */
  async function resolveRefused(
    payment: BoundPayment,
    refusal: ServiceError,
    proofs: readonly string[],
  ): Promise<VerifiedPayment | Redelivered> {
    const row = await machine.find(payment);
    if (row && !isForSale(row, true)) return { kind: 'redelivered', reply: await machine.resume(row, payment) };
    const { to: payTo, value: amount, validBefore } = payment.authorization;
    const question = { ...payment.key, payTo, amount, validBefore, searchFrom: row?.searchFrom };
    const paymentId = publicPaymentId(payment.key);
    // What was rebuilt is used, also while the chain cannot be asked.
    const isRebuilt = row?.state === 'settled' && isOwnFault(refusal.reason);
    const isKnownUsed = isRebuilt || refusal.reason === 'payment_already_used';
    if (!isKnownUsed) {
      // One that was claimed may have been submitted, whatever this instance's clock says of its window.
      const mayHavePaid = row === undefined ? hasExpired(refusal) && isRecent(payment, now()) : isOutOfWindow(refusal);
      if (!mayHavePaid) throw refusal;
      if (!(await isUsed(question, paymentId))) throw namePayment(refusal, paymentId);
    }
    const overHttp = { title: 'The same request over HTTP, with SIGN-IN-WITH-X', url: payment.resource };
    await assertPayer(
      proofs,
      { paymentId, payer: payment.key.payer },
      { detail: usedElsewhere, payment: 'unknown', next: [statusOfPayment(paymentId), overHttp] },
    );
    return admitSettled(payment, question, { refusal, isKnownUsed });
  }

  /** One call, before anybody has proven anything. @throws ServiceError in doubt */
  async function isUsed(question: EvidenceQuestion, paymentId: string): Promise<boolean> {
    const inDoubt = (cause: unknown) => namePayment(outcomeUnknown({ cause }), paymentId);
    const tooMany = limits.nonceChecks.take('all');
    if (tooMany !== undefined) throw inDoubt(tooMany);
    const { validBefore } = question;
    // Until its window is over, "unused" is true of now alone.
    const asOf = Number(validBefore) * 1000 <= now().getTime() ? validBefore : 0n;
    return evidence.isUsed(question, asOf).catch((cause: unknown) => {
      throw inDoubt(cause);
    });
  }

  /**
   * A transfer that a third party submitted counts as payment, since payTo takes payments for this service only. Only
   * the chain's proof counts; without proof either way the buyer is not asked for another payment.
   */
  async function admitSettled(payment: BoundPayment, question: EvidenceQuestion, { refusal, isKnownUsed }: Refused) {
    const { validBefore, searchFrom } = question;
    const found = await search(question);
    if (found.verdict === 'settled')
      return { ...payment, unusedUntil: searchFrom ?? searchStart(validBefore, now()), wasSubmittedByThirdParty: true };
    if (found.verdict === 'unknown' || (found.verdict === 'open' && isKnownUsed))
      throw namePayment(outcomeUnknown(), publicPaymentId(payment.key));
    throw namePayment(refusal, publicPaymentId(payment.key));
  }

  async function search(question: EvidenceQuestion) {
    if (searches >= maxSearches) return { verdict: 'unknown' } as const;
    searches++;
    return askEvidence(evidence, question).finally(() => searches--);
  }

  return { recall, resolveRefused };
}

const usedElsewhere =
  'This authorization was used outside this ledger. Sign in as its payer and send the same payment again; do not sign another.';

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
