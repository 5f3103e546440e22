import { createPurchaseError } from '../error-classes.js';
import { findChallenge } from '../payments/challenge.js';
import { paymentIdOf } from '../payments/payment-id.js';
import type { PaymentEnd, PaymentJournal, SignedPayment } from '../payments/payment-journal.js';
import { asksForProof, proofPath, proveWallet, type Prover } from '../payments/prove-wallet.js';
import { PurchaseError, type PurchaseErrorContext } from '../payments/purchase-error.js';
import { problemError, readProblem } from './read-problem.js';
import { sendPatiently, type Patience } from './send-patiently.js';
import type { Reply, SendRequest } from '../service-client.js';

/** Keeps a bought reply before its payment counts as finished. If it fails, the reply is returned all the same. */
export type KeepReply = (reply: Reply, payment: SignedPayment) => Promise<void>;

export interface PresentPorts {
  /** Address of the server, without a trailing slash. */
  readonly baseUrl: string;
  readonly journal: PaymentJournal;
  readonly patience: Patience;
  /** The account that proves, where it has paid, what somebody else has sent. */
  readonly prover?: Prover | undefined;
  readonly keepReply?: KeepReply | undefined;
}

/**
 * Presents a payment, and presents it again while that may help, then records its end in the journal. A refusal ends
 * the payment only when no earlier presentation was left open:
 * - a request without an answer may still arrive
 * - a request with unknown outcome may have charged it
 *
 * What somebody else has sent is sold to its payer's proof: the prover signs once, and the payment is presented with
 * it.
 * @returns the 200 that was paid for
 * @throws PurchaseError
 */
export async function present(
  send: SendRequest,
  path: string,
  payment: SignedPayment,
  ports: PresentPorts,
): Promise<Reply> {
  const { journal, patience, keepReply } = ports;
  let isLeftOpen = payment.isShared === true;
  let end: PaymentEnd = 'open';
  let headers: Readonly<Record<string, string>> = { 'PAYMENT-SIGNATURE': payment.header };
  try {
    const reply = await sendPatiently(
      async () => {
        const answer = await send(path, headers);
        const proof = 'SIGN-IN-WITH-X' in headers ? undefined : await proveIfAsked(answer, payment, ports);
        if (proof === undefined) return answer;
        headers = { ...headers, 'SIGN-IN-WITH-X': proof };
        return send(path, headers);
      },
      (answer) => {
        isLeftOpen ||= endBy(answer) === 'open';
        return maySucceedYet(answer);
      },
      patience,
    );
    end = endBy(reply);
    if (end === 'refused' && isLeftOpen) end = 'open';
    if (reply?.status === 200) {
      await keepReply?.(reply, payment).catch(() => undefined);
      return reply;
    }
    throw failure(reply, knownOf(payment, end));
  } catch (error) {
    throw naming(payment, error);
  } finally {
    // A bought reply does not wait for the journal. If the client dies first, it gets the same reply again, free.
    const closed = journal.close(payment.nonce, end).catch(() => undefined);
    if (end !== 'paid') await closed;
  }
}

/** The proof that an answer asks the prover's own payment for. */
async function proveIfAsked(
  answer: Reply | undefined,
  payment: SignedPayment,
  { baseUrl, prover }: PresentPorts,
): Promise<string | undefined> {
  const challenge = answer && findChallenge(answer);
  if (challenge === undefined || !asksForProof(challenge)) return undefined;
  if (prover?.address.toLowerCase() !== payment.payer.toLowerCase()) return undefined;
  return proveWallet(challenge, baseUrl + proofPath(paymentIdOf(payment)), prover);
}

/** Adds the open payment to an error that came before its outcome was known. */
export function naming(payment: SignedPayment, error: unknown): unknown {
  if (!(error instanceof PurchaseError) || error.context.payment !== undefined) return error;
  return createPurchaseError(error.reason, error.message, { ...error.context, ...knownOf(payment, 'open') });
}

/** True for an answer of the service itself, not of a proxy. */
function isAnswer(reply: Reply): boolean {
  return reply.status === 200 || readProblem(reply) !== undefined;
}

function maySucceedYet(reply: Reply | undefined): boolean {
  if (reply === undefined) return true;
  const problem = readProblem(reply);
  if (problem === undefined) return reply.status >= 500;
  // A 402 asks for a proof, which this client has given or cannot give.
  return problem.retryable || (problem.retry_same_payment && reply.status !== 402);
}

function endBy(reply: Reply | undefined): PaymentEnd {
  if (reply === undefined || !isAnswer(reply)) return 'open';
  if (reply.status === 200) return 'paid';
  const { payment = 'unknown', retry_same_payment = true } = readProblem(reply) ?? {};
  if (payment === 'settled') return 'paid';
  if (payment === 'unknown' || retry_same_payment) return 'open';
  // A failed server may not know what it did before the failure.
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
