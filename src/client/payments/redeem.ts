import * as z from 'zod/mini';
import { createPurchaseError } from '../error-classes.js';
import { PurchaseError } from './purchase-error.js';
import { parseJson } from '../wire/base64-json.js';
import { paymentIdOf } from './payment-id.js';
import { isOver, type SignedPayment } from './payment-journal.js';
import { naming, present, type PresentPorts } from '../wire/present.js';
import { problemError, readProblem } from '../wire/read-problem.js';
import { sendPatiently } from '../wire/send-patiently.js';
import type { Reply, SendRequest } from '../service-client.js';

const status = z.object({ state: z.enum(['claimed', 'settled', 'released']) });

export interface RedeemPorts extends PresentPorts {
  readonly now: () => Date;
}

/**
 * Presents an open payment again. When it is too late to be charged, asks the server for its state first, free. What is
 * neither charged nor open there is presented once more, and ends when it is refused.
 * @returns the bought reply; undefined when the payment was never charged and cannot be, so that another may be signed
 * @throws PurchaseError while it may have been charged or may yet be
 */
export async function redeem(
  send: SendRequest,
  path: string,
  payment: SignedPayment,
  ports: RedeemPorts,
): Promise<Reply | undefined> {
  if (!isOver(payment, ports.now()) || (await mayBeCharged(send, payment, ports)))
    return present(send, path, payment, ports);
  // Its ledger has no charge of it, but the chain may: the ledger was lost, or somebody else has sent the payment.
  return present(send, path, { ...payment, isShared: undefined }, ports).catch(async (error: unknown) => {
    const { payment: state, status } = error instanceof PurchaseError ? error.context : {};
    if (state !== 'not_settled' || status !== 402) throw error;
    await ports.journal.close(payment.nonce, 'void');
    return undefined;
  });
}

/** Whether the server has charged a payment or may yet, by its ledger. @throws PurchaseError while that is unknown */
async function mayBeCharged(send: SendRequest, payment: SignedPayment, ports: RedeemPorts): Promise<boolean> {
  const paymentId = paymentIdOf(payment);
  let isKnown = false;
  try {
    const isBusy = (reply: Reply | undefined) => reply === undefined || readProblem(reply)?.retryable === true;
    const reply = await sendPatiently(() => send(`/api/payments/${paymentId}`), isBusy, ports.patience);
    const state = reply?.status === 200 ? z.safeParse(status, parseJson(reply.text)).data?.state : undefined;
    const isUnknown = reply?.status === 404 && readProblem(reply)?.reason === 'unknown_payment';
    isKnown = isUnknown || state !== undefined;
    if (isKnown) return state === 'settled' || state === 'claimed' || !isOverThere(payment, reply);
    const known = { payment: 'unknown', paymentId } as const;
    if (reply !== undefined && reply.status !== 200) throw problemError(reply, known);
    throw createPurchaseError('outcome_unknown', 'The server does not report the state of the payment.', known);
  } catch (error) {
    throw naming(payment, error);
  } finally {
    if (!isKnown) await ports.journal.close(payment.nonce, 'open');
  }
}

/** Also checks the server's clock, if it sends one, because the buyer's clock may be fast. */
function isOverThere(payment: SignedPayment, reply: Reply | undefined): boolean {
  const date = new Date(reply?.headers.get('date') ?? '');
  return Number.isNaN(date.getTime()) || isOver(payment, date);
}
