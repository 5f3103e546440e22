import type { ContractOperation } from '../contract/contract.js';
import { assertKept } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import type { ServiceError } from '../errors.js';
import type { Challenge } from '../payments/challenge.js';
import type { OperationReply } from './operation.js';
import { problemBody, statusOf } from './problem.js';

const problemSchema = '#/components/schemas/Problem';

/**
 * Creates what turns an error into a proven reply. A 402 carries the operation's challenge, in the header and in the
 * body alike.
 */
export function createProblemReply(
  operation: ContractOperation | undefined,
  challenge: Challenge | undefined,
  validators: Validators,
): (error: ServiceError, requestId: string) => OperationReply {
  return (error, requestId) => {
    const status = statusOf(error.reason);
    const asksForPayment = status === 402 && challenge !== undefined;
    const paymentError = error.details.paymentError ?? error.reason;
    const problem = problemBody(error, requestId);
    const body = asksForPayment ? { ...problem, ...challenge.members, error: paymentError } : problem;
    const declared = operation?.replies.get(status)?.get('application/problem+json');
    assertKept(validators.at(declared ?? problemSchema), body, `${operation?.operationId ?? 'no operation'} ${status}`);
    return {
      status,
      headers: {
        'Content-Type': 'application/problem+json',
        'Cache-Control': 'no-store',
        ...(asksForPayment ? { 'PAYMENT-REQUIRED': challenge.header(paymentError) } : {}),
        ...(error.details.retryAfterSeconds === undefined
          ? {}
          : { 'Retry-After': String(error.details.retryAfterSeconds) }),
        ...error.details.headers,
      },
      body: JSON.stringify(body),
    };
  };
}

/** A problem that is always the same but for its request id: proven once, then only filled in. */
export function createProblemTemplate(
  problemReply: (error: ServiceError, requestId: string) => OperationReply,
  error: ServiceError,
): (requestId: string) => OperationReply {
  const mark = '@request-id@';
  const { body, ...reply } = problemReply(error, mark);
  const parts = typeof body === 'string' ? body.split(mark) : [];
  return (requestId) => ({ ...reply, body: parts.join(requestId) });
}
