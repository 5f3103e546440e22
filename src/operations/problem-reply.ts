import type { ContractOperation } from '../contract/contract.js';
import { assertKept } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import type { ServiceError } from '../errors.js';
import type { Challenge } from '../payments/gate/challenge.js';
import type { OperationReply } from './operation.js';
import { problemBody, statusOf } from './problem.js';

const problemSchema = '#/components/schemas/Problem';

/** Turns an error into a proven reply. */
export type ProblemReply = (error: ServiceError, requestId: string) => OperationReply;

/**
 * Creates what turns an error into a proven reply. A 402 carries the operation's challenge, in the header and in the
 * body alike.
 */
export function createProblemReply(
  operation: ContractOperation | undefined,
  challengeNow: (() => Challenge) | undefined,
  validators: Validators,
): ProblemReply {
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

/** The challenge of an error that asks for something of its own. */
function challengeOf(members: object) {
  const header = (error: string): string => Buffer.from(JSON.stringify({ ...members, error })).toString('base64');
  return { members, header };
}
