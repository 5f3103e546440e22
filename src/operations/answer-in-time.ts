import { outcomeUnknown } from '../payments/payment-errors.js';
import type { OperationReply, OperationRequest } from './operation.js';
import type { ProblemReply } from './problem.js';

/** The answer to a payment, or to a proof of one, takes no longer. Source: docs/decisions/payments.md. */
const longestMs = 40_000;

/** Calls back after so many milliseconds, unless what it returns is cleared before. */
export type ReplyTimer = (callBack: () => void, delayMs: number) => NodeJS.Timeout | undefined;

/** Bounds the time of an answer. What takes longer goes on, and its buyer comes again: it may be sent by then. */
export function createAnswerInTime(problemReply: ProblemReply, startTimer: ReplyTimer = setTimeout) {
  return (running: Promise<OperationReply>, { paymentSignatures, walletProofs, requestId }: OperationRequest) =>
    paymentSignatures.length + walletProofs.length === 0 ? running : bounded(running, requestId);

  async function bounded(running: Promise<OperationReply>, requestId: string): Promise<OperationReply> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = startTimer(() => resolve(undefined), longestMs);
    });
    const reply = await Promise.race([running, late]).finally(() => clearTimeout(timer));
    if (reply !== undefined) return reply;
    void running.then(({ onDelivery }) => onDelivery?.(false));
    return problemReply(outcomeUnknown(), requestId);
  }
}
