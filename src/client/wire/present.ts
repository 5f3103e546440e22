import { createPurchaseError } from '../error-classes.js';
import { paymentIdOf } from '../payments/payment-id.js';
import type { PaymentEnd, PaymentJournal, SignedPayment } from '../payments/payment-journal.js';
import { PurchaseError, type PurchaseErrorContext } from '../payments/purchase-error.js';
import { problemError, readProblem } from './read-problem.js';
import { sendPatiently, type Patience } from './send-patiently.js';
import type { Reply, SendRequest } from '../service-client.js';

/**
 * Presents a payment, and the very same again while that may help. In the end the journal knows what became of it. A
 * refusal ends it only where no request that carried it was left open: one that was not answered may still arrive, and
 * one whose outcome the server did not know may have charged it, whatever is refused after it.
 *
 * @returns the 200 that was paid for
 * @throws PurchaseError
 */
export async function present(
  send: SendRequest,
  path: string,
  payment: SignedPayment,
  { journal, patience }: { readonly journal: PaymentJournal; readonly patience: Patience },
): Promise<Reply> {
  let isLeftOpen = payment.isShared === true;
  let end: PaymentEnd = 'open';
  try {
    const reply = await sendPatiently(
      () => send(path, { 'PAYMENT-SIGNATURE': payment.header }),
      (answer) => {
        isLeftOpen ||= endBy(answer) === 'open';
        return maySucceedYet(answer);
      },
      patience,
    );
    end = endBy(reply);
    if (end === 'refused' && isLeftOpen) end = 'open';
    if (reply?.status === 200) return reply;
    throw failure(reply, knownOf(payment, end));
  } catch (error) {
    // Whatever ended the waiting ended it with the outcome open.
    if (!(error instanceof PurchaseError) || error.context.payment !== undefined) throw error;
    throw createPurchaseError(error.reason, error.message, { ...error.context, ...knownOf(payment, 'open') });
  } finally {
    // What was bought is not kept waiting. A client that dies before it has noted that gets the same reply again, free.
    const closed = journal.close(payment.nonce, end).catch(() => undefined);
    if (end !== 'paid') await closed;
  }
}

/** True for a word of the service itself. */
function isAnswer(reply: Reply): boolean {
  return reply.status === 200 || readProblem(reply) !== undefined;
}

function maySucceedYet(reply: Reply | undefined): boolean {
  if (reply === undefined) return true;
  const problem = readProblem(reply);
  return problem === undefined ? reply.status >= 500 : problem.retryable || problem.retry_same_payment;
}

function endBy(reply: Reply | undefined): PaymentEnd {
  if (reply === undefined || !isAnswer(reply)) return 'open';
  if (reply.status === 200) return 'paid';
  const { payment = 'unknown', retry_same_payment = true } = readProblem(reply) ?? {};
  if (payment === 'settled') return 'paid';
  if (payment === 'unknown' || retry_same_payment) return 'open';
  // A server that has failed may not know itself what it did before.
  return reply.status < 500 || payment === 'not_settled' ? 'refused' : 'open';
}

function failure(reply: Reply | undefined, known: PurchaseErrorContext): PurchaseError {
  if (reply !== undefined && (isAnswer(reply) || !maySucceedYet(reply))) return problemError(reply, known);
  return createPurchaseError('outcome_unknown', 'The payment was presented, and no clear answer came back.', {
    ...known,
    ...(reply === undefined ? {} : { status: reply.status }),
  });
}

function knownOf(payment: SignedPayment, end: PaymentEnd): PurchaseErrorContext {
  const { payer, nonce } = payment;
  const told = { paid: 'settled', refused: 'not_settled', void: 'not_settled', open: 'unknown' } as const;
  return { payment: told[end], authorization: { payer, nonce }, paymentId: paymentIdOf(payment) };
}
