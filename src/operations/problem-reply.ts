import type { ContractOperation } from '../contract/contract.js';
import { assertKept } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import type { ServiceError } from '../errors.js';
import type { Challenge } from '../payments/gate/challenge.js';
import { paymentRequired } from '../payments/gate/payment-required.js';
import type { OperationReply } from './operation.js';
import { problemBody, statusOf } from './problem.js';

const problemSchema = '#/components/schemas/Problem';

/**
 * Creates what turns an error into a proven reply. A 402 carries the operation's challenge, in the header and in the
 * body alike.
 */
export function createProblemReply(
  operation: ContractOperation | undefined,
  challengeNow: (() => Challenge) | undefined,
  validators: Validators,
): (error: ServiceError, requestId: string) => OperationReply {
  return (error, requestId) => {
    const status = statusOf(error.reason);
    const own = error.details.paymentRequired;
    const challenge = status !== 402 ? undefined : own === undefined ? challengeNow?.() : challengeOf(own);
    const paymentError = error.details.paymentError ?? error.reason;
    const problem = problemBody(error, requestId);
    const body = challenge ? { ...problem, ...challenge.members, error: paymentError } : problem;
    const declared = operation?.replies.get(status)?.get('application/problem+json');
    assertKept(validators.at(declared ?? problemSchema), body, `${operation?.operationId ?? 'no operation'} ${status}`);
    return {
      status,
      headers: {
        'Content-Type': 'application/problem+json',
        'Cache-Control': 'no-store',
        ...(challenge ? { 'PAYMENT-REQUIRED': challenge.header(paymentError) } : {}),
        ...(error.details.retryAfterSeconds === undefined
          ? {}
          : { 'Retry-After': String(error.details.retryAfterSeconds) }),
        ...error.details.headers,
      },
      body: JSON.stringify(body),
    };
  };
}

/**
 * The 402 of whoever sends no payment: the same but for its request id, and so proven once for each challenge and then
 * only filled in.
 */
export function createUnpaidReply(
  problemReply: (error: ServiceError, requestId: string) => OperationReply,
  challengeNow: () => Challenge,
): (requestId: string) => OperationReply {
  const mark = '@request-id@';
  let made: { for: Challenge; reply: Omit<OperationReply, 'body'>; parts: readonly string[] } | undefined;
  return (requestId) => {
    const challenge = challengeNow();
    if (made?.for !== challenge) {
      const { body, ...reply } = problemReply(paymentRequired([]), mark);
      made = { for: challenge, reply, parts: typeof body === 'string' ? body.split(mark) : [] };
    }
    return { ...made.reply, body: made.parts.join(requestId) };
  };
}

/** The challenge of an error that asks for something of its own. */
function challengeOf(members: object) {
  const header = (error: string): string => Buffer.from(JSON.stringify({ ...members, error })).toString('base64');
  return { members, header };
}
