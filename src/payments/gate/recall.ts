import { isOwnFault, type ServiceError } from '../../errors.js';
import type { Limits } from '../../limits/limits.js';
import { searchSeconds } from '../chain/find-transfer.js';
import type { PaymentRow } from '../ledger/ledger.js';
import { isClaimable, publicPaymentId } from '../ledger/payment-row.js';
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

/** The stored reply of a payment that bought it earlier. */
export interface Redelivered {
  readonly kind: 'redelivered';
  readonly reply: PaidReply;
}

/** A payment that may buy a reply. */
interface Admitted {
  readonly kind: 'admitted';
  readonly payment: VerifiedPayment;
}

/** How long after its window an authorization without a row in the ledger is still searched on the chain. */
const searchAfterExpiryMs = 3_600_000;
/** Concurrent searches of the logs; the payment of any further one stays `settlement_unknown`. */
const maxSearches = 4;

export type Recall = ReturnType<typeof createRecall>;

/**
 * Decides on signed payments by the ledger and the chain: redelivers what one has bought, which may settle it and write
 * its outcome; admits one that a third party has submitted, once its payer signs in. All gates of a process share one.
 */
export function createRecall({ evidence, machine, assertPayer, limits, now }: RecallPorts) {
  let searches = 0;

  /** The stored reply; undefined if the payment may still buy one. @throws ServiceError as `resume` */
  async function recall(payment: BoundPayment): Promise<PaidReply | undefined> {
    const row = await machine.find(payment);
    return row && !isClaimable(row, true) ? machine.resume(row, payment) : undefined;
  }

  /**
   * Decides on a payment that was refused or already used: its stored reply, admission (a third party submitted it and
   * the payer signs in), or the refusal. The signature of a submitted authorization is public and proves no buyer.
   *
   * @param walletProofHeaders the SIGN-IN-WITH-X header, once per occurrence
   * @throws ServiceError the refusal, a sign-in request, or `settlement_unknown` if the money may have moved
   */
  async function admitOrRefuse(
    payment: BoundPayment,
    refusal: ServiceError,
    walletProofHeaders: readonly string[],
  ): Promise<Admitted | Redelivered> {
    const row = await machine.find(payment);
    if (row && !isClaimable(row, true)) return { kind: 'redelivered', reply: await machine.resume(row, payment) };
    const { to: payTo, value: amount, validBefore } = payment.authorization;
    const question = { ...payment.key, payTo, amount, validBefore, searchFrom: row?.searchFrom };
    const paymentId = publicPaymentId(payment.key);
    const name = (error: ServiceError) => namePayment(error, paymentId);
    // A row that was rebuilt from the chain is used, also while the chain does not answer.
    const isRebuilt = row?.state === 'settled' && isOwnFault(refusal.reason);
    const isKnownUsed = isRebuilt || refusal.reason === 'payment_already_used';
    if (!isKnownUsed && !mayBeUsed(row, payment, refusal)) throw refusal;
    if (!isKnownUsed && !(await isUsed(question, name))) throw name(refusal);
    const overHttp = { title: 'The same request over HTTP, with SIGN-IN-WITH-X', url: payment.resource };
    await assertPayer(
      walletProofHeaders,
      { paymentId, payer: payment.key.payer },
      { detail: usedElsewhere, payment: 'unknown', next: [statusOfPayment(paymentId), overHttp] },
    );
    // payTo receives payments for this service only, so any proven transfer counts as the payment.
    const { verdict } = await search(question);
    if (verdict === 'unknown' || (verdict === 'open' && isKnownUsed)) throw name(outcomeUnknown());
    if (verdict !== 'settled') throw name(refusal);
    const unusedUntil = row?.searchFrom ?? searchStart(validBefore, now());
    return { kind: 'admitted', payment: { ...payment, unusedUntil, wasSubmittedByThirdParty: true } };
  }

  /** An unclaimed authorization is used only after its window; a claimed one, whatever this instance's clock says. */
  function mayBeUsed(row: PaymentRow | undefined, payment: BoundPayment, refusal: ServiceError): boolean {
    return row === undefined ? hasExpired(refusal) && isRecent(payment, now()) : isOutOfWindow(refusal);
  }

  /** One call to the chain, before the caller has signed in. @throws ServiceError in doubt */
  async function isUsed(question: EvidenceQuestion, name: (error: ServiceError) => ServiceError): Promise<boolean> {
    const inDoubt = (cause: unknown) => name(outcomeUnknown({ cause }));
    const tooMany = limits.nonceChecks.take('all');
    if (tooMany !== undefined) throw inDoubt(tooMany);
    const { validBefore } = question;
    // Before the end of its window, an unused authorization may still be used later.
    const asOf = Number(validBefore) * 1000 <= now().getTime() ? validBefore : 0n;
    return evidence.isUsed(question, asOf).catch((cause: unknown) => {
      throw inDoubt(cause);
    });
  }

  async function search(question: EvidenceQuestion) {
    if (searches >= maxSearches) return { verdict: 'unknown' } as const;
    searches++;
    return askEvidence(evidence, question).finally(() => searches--);
  }

  return { recall, admitOrRefuse };
}

const usedElsewhere =
  'This authorization was used outside this ledger. Sign in as its payer and send the same payment again; do not sign another.';

/** The start of the search of the chain that found a payment. */
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
