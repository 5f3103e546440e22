import { setTimeout as delay } from 'node:timers/promises';
import { outcomeUnknown } from '../payments/payment-errors.js';
import type { OperationReply, OperationRequest } from './operation.js';
import type { ProblemReply } from './problem.js';

/** The answer to a payment, or to a proof of one, takes no longer. Source: docs/decisions/payments.md. */
const longestMs = 40_000;

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export type ReplyPause = (delayMs: number, signal: AbortSignal) => Promise<void>;

const byTimer: ReplyPause = (delayMs, signal) => delay(delayMs, undefined, { signal }).catch(() => undefined);

/** Bounds the time of an answer. What takes longer goes on, and its buyer comes again: it may be sent by then. */
export function createAnswerInTime(problemReply: ProblemReply, pause: ReplyPause = byTimer) {
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
