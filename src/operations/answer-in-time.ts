import { outcomeUnknown } from '../payments/payment-errors.js';
import type { OperationReply, OperationRequest } from './operation.js';
import type { ProblemReply } from './problem.js';

/** The longest wait for the answer to a payment or a wallet proof. Source: docs/decisions/payments.md. */
const longestMs = 40_000;

/** Calls back after a delay, unless the returned timer is cleared. */
export type ReplyTimer = (callBack: () => void, delayMs: number) => NodeJS.Timeout | undefined;

/**
 * Bounds the time of a call with a payment or a wallet proof. After 40 s the buyer gets `settlement_unknown` and
 * retries. The call continues; its payment may already have been sent.
 */
export function createAnswerInTime(problemReply: ProblemReply, startTimer: ReplyTimer = setTimeout) {
  return async (running: Promise<OperationReply>, { paymentSignatures, walletProofs, requestId }: OperationRequest) => {
    if (paymentSignatures.length + walletProofs.length === 0) return running;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = startTimer(() => resolve(undefined), longestMs);
    });
    const reply = await Promise.race([running, late]).finally(() => clearTimeout(timer));
    if (reply !== undefined) return reply;
    running.then(
      ({ onDelivery }) => onDelivery?.(false),
      // Only a problem reply outside the contract; nobody waits for it any more.
      () => undefined,
    );
    return problemReply(outcomeUnknown(), requestId);
  };
}
