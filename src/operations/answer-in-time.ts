import { outcomeUnknown } from '../payments/payment-errors.js';
import { pauseByTimer, type Pause } from '../payments/settlement/pause.js';
import type { OperationReply, OperationRequest } from './operation.js';
import type { ProblemReply } from './problem.js';

/** The answer to a payment, or to a proof of one, takes no longer. Source: docs/decisions/payments.md. */
const longestMs = 40_000;

/** Bounds the time of an answer. What takes longer goes on, and its buyer comes again: it may be sent by then. */
export function createAnswerInTime(problemReply: ProblemReply, pause: Pause = pauseByTimer) {
  return async (running: Promise<OperationReply>, { paymentSignatures, walletProofs, requestId }: OperationRequest) => {
    if (paymentSignatures.length + walletProofs.length === 0) return running;
    const ended = new AbortController();
    const late = pause(longestMs, ended.signal).then(() => undefined);
    const reply = await Promise.race([running, late]).finally(() => ended.abort());
    if (reply !== undefined) return reply;
    void running.then(({ onDelivery }) => onDelivery?.(false));
    return problemReply(outcomeUnknown(), requestId);
  };
}
