import { ask } from './ask.js';
import { chooseOffer, type Offer } from './choose-offer.js';
import { pay, type PayOptions, type Payer, type Payment } from './pay.js';
import { PurchaseError } from './purchase-error.js';
import { problemError, readProblem } from './read-problem.js';
import { readReceipt, type Receipt } from './receipt.js';
import { sendPatiently, type Patience } from './send-patiently.js';
import type { Reply, SendRequest } from './service-client.js';

export interface PurchaseOptions extends PayOptions {
  /** Told the price before anything is signed; returns who pays it, or throws to refuse. Called once at most. */
  readonly approve: (offer: Offer) => Payer | Promise<Payer>;
  readonly patience: Patience;
}

/** What was got. */
export interface Purchase {
  readonly reply: Reply;
  /** Undefined for what is free. */
  readonly paid: PaidWith | undefined;
}

export interface PaidWith {
  readonly offer: Offer;
  /** Undefined when the server sent none that can be read. */
  readonly receipt: Receipt | undefined;
}

/**
 * Asks, has the price approved, signs once, and pays. While the server says that the same payment may still succeed, or
 * gives no answer at all, the very same payment is presented again after Retry-After: it is charged once at most. A
 * second payment is never signed.
 *
 * @throws PurchaseError for every problem; `context.payment` says what is known of the money.
 */
export async function purchase(send: SendRequest, path: string, options: PurchaseOptions): Promise<Purchase> {
  const asked = await ask(send, path, options.patience);
  if (asked.kind === 'free') return { reply: asked.reply, paid: undefined };
  const offer = chooseOffer(asked.challenge);
  const payment = await pay(offer, await options.approve(offer), options);
  const reply = await present(send, path, payment, options.patience);
  return { reply, paid: { offer, receipt: readReceipt(reply.headers) } };
}

async function present(send: SendRequest, path: string, payment: Payment, patience: Patience): Promise<Reply> {
  let isUncertain = false;
  const reply = await sendPatiently(
    () => send(path, { 'PAYMENT-SIGNATURE': payment.header }),
    (answer) => {
      isUncertain ||= leavesOutcomeOpen(answer);
      return maySucceedYet(answer);
    },
    patience,
  );
  if (reply?.status === 200) return reply;
  const authorization = { payer: payment.payer, nonce: payment.nonce };
  if (reply !== undefined && (readProblem(reply) !== undefined || !isUncertain)) {
    throw problemError(reply, { payment: 'not_settled', authorization });
  }
  throw new PurchaseError('outcome_unknown', 'The payment was presented, and no clear answer came back.', {
    payment: 'unknown',
    authorization,
    ...(reply === undefined ? {} : { status: reply.status }),
  });
}

function maySucceedYet(reply: Reply | undefined): boolean {
  if (reply === undefined) return true;
  const problem = readProblem(reply);
  return problem === undefined ? reply.status >= 500 : problem.retryable || problem.retry_same_payment;
}

/** True where the server may have taken the payment although this is no word of it. */
function leavesOutcomeOpen(reply: Reply | undefined): boolean {
  return reply === undefined || (reply.status >= 500 && readProblem(reply) === undefined);
}
