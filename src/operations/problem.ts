import { ServiceError, type Reason, type ServiceErrorDetails } from '../errors.js';
import type { ContractOperation } from '../contract/contract.js';
import { assertKept } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import type { Challenge } from '../payments/gate/challenge.js';
import type { OperationReply } from './operation.js';

/** The body of an error, after RFC 9457, with the members that the contract adds. */
export type ProblemBody = ReturnType<typeof problemBody>;

type StatedKind = Pick<ProblemKind, 'status' | 'title'> & Partial<ProblemKind>;

/** Status and title of each reason. Requests that HTTP itself cannot read have their own: `unread-request.ts`. */
const kinds: Readonly<Record<Reason, StatedKind>> = {
  invalid_parameter: { status: 400, title: 'Invalid parameter' },
  unknown_parameter: { status: 400, title: 'Unknown parameter' },
  missing_parameter: { status: 400, title: 'Missing parameter' },
  invalid_deal_id: { status: 400, title: 'Not a deal id' },
  placeholder_not_replaced: { status: 400, title: 'The placeholder was not replaced' },
  address_not_parsed: { status: 400, title: 'The address could not be read' },
  payment_malformed: { status: 400, title: 'The payment header cannot be read' },
  payment_required: { status: 402, title: 'Payment required' },
  payment_invalid: { status: 402, title: 'The payment is not valid' },
  payment_expired: { status: 402, title: 'The payment has expired' },
  payment_amount_mismatch: { status: 402, title: 'The payment is for another amount' },
  payment_wrong_resource: { status: 402, title: 'The payment is for another resource' },
  payment_already_used: { status: 402, title: 'The payment was used already' },
  settlement_failed: { status: 402, title: 'The payment did not settle' },
  unknown_deal: { status: 404, title: 'No such deal' },
  no_records_match: { status: 404, title: 'No records match' },
  no_match: { status: 404, title: 'Nothing matches the address' },
  outside_coverage: { status: 404, title: 'Outside the coverage' },
  no_exclusive_lead_available: { status: 404, title: 'No exclusive lead is available' },
  no_events: { status: 404, title: 'Nothing has happened since' },
  suppressed: { status: 404, title: 'Suppressed' },
  unknown_payment: { status: 404, title: 'No such payment' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'No acceptable media type' },
  payment_in_progress: { status: 409, title: 'The payment is being worked on', retryable: true, samePayment: true },
  payment_id_conflict: { status: 409, title: 'The payment id stands for another payment' },
  cursor_expired: { status: 410, title: 'The page token or cursor has expired' },
  reply_suppressed: { status: 410, title: 'The reply is shown no more' },
  payload_too_large: { status: 413, title: 'The request is too large' },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  internal_error: { status: 500, title: 'Something went wrong here', retryable: true },
  settlement_unknown: {
    status: 503,
    title: 'The outcome of the payment is not known yet',
    retryable: true,
    samePayment: true,
  },
  facilitator_unavailable: { status: 503, title: 'Payments cannot settle now', retryable: true, unsentPayment: true },
  chain_unavailable: { status: 503, title: 'Payments cannot settle now', retryable: true, unsentPayment: true },
  not_yet_published: { status: 503, title: 'Not published yet', retryable: true, unsentPayment: true },
  temporarily_unavailable: { status: 503, title: 'Temporarily unavailable', retryable: true, unsentPayment: true },
};

const freeAlternatives = [
  { title: 'Which counties are read', url: '/api/coverage' },
  { title: 'Prices and free samples', url: '/api/meta' },
  { title: 'The contract', url: '/openapi.json' },
];

/** The common part of all problems with one reason. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Whether the same request can succeed later. */
  readonly retryable: boolean;
  /** Whether the caller must send the same payment again. */
  readonly samePayment: boolean;
  /** Whether the payment of the request was not sent, and stays valid. */
  readonly unsentPayment: boolean;
}

/** The kind of a reason, with the defaults spelled out. */
export function problemKindOf(reason: Reason): ProblemKind {
  return { retryable: false, samePayment: false, unsentPayment: false, ...kinds[reason] };
}

/** Status and title of a faulty request without a payment: the only exception to `kinds`. */
const unpaidFault = { status: 402, title: 'Correct the request first' };

/** The body of an error reply. */
export function problemBody(error: ServiceError, requestId: string) {
  const kind = { ...problemKindOf(error.reason), ...(error.details.isUnpaid && unpaidFault) };
  return {
    // The reason's entry in the guide to errors.
    type: `/errors#${error.reason}`,
    title: kind.title,
    status: kind.status,
    detail: error.message,
    instance: `urn:request:${requestId}`,
    reason: error.reason,
    billed: false,
    payment: error.details.payment ?? 'none',
    ...(error.details.paymentId === undefined ? {} : { payment_id: error.details.paymentId }),
    retryable: kind.retryable,
    retry_same_payment: asksForTheSamePayment(error),
    request_id: requestId,
    errors: error.details.faults ?? [],
    next: error.details.next ?? freeAlternatives,
    ...error.details.members,
  };
}

function asksForTheSamePayment({ reason, details }: ServiceError): boolean {
  const { samePayment, unsentPayment } = problemKindOf(reason);
  const mayBeSent = details.payment === 'unknown' && (unsentPayment || details.paymentRequired !== undefined);
  return mayBeSent || (details.payment === 'not_settled' ? unsentPayment : samePayment);
}

/** The error itself, or for an unexpected one an `internal_error` that reveals nothing but the request id. */
export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError
    ? error
    : new ServiceError(
        'internal_error',
        'The request failed on the server. Include the request id when you report it.',
        {
          cause: error,
        },
      );
}

const problemSchema = '#/components/schemas/Problem';

/** Turns an error into a proven reply. `challengeOf`: the challenge of the request, if it has a price. */
export type ProblemReply = (error: ServiceError, requestId: string, challengeOf?: () => Challenge) => OperationReply;

/** Creates the replies to errors. A 402 has the challenge, or the error's sign-in request, in header and body. */
export function createProblemReply(validators: Validators, operation?: ContractOperation): ProblemReply {
  return (error, requestId, challengeOf) => {
    const { reason, details } = error;
    const { paymentId } = details;
    const problem = problemBody(error, requestId);
    const { status } = problem;
    const challenge = status === 402 ? challengeFor(details, challengeOf) : undefined;
    const paymentError = details.paymentError ?? reason;
    // An offer in the body would distract from a fault, and a payment for a faulty request is refused.
    const offer = challenge && details.isUnpaid !== true && { ...challenge.members, error: paymentError };
    const body = { ...problem, ...offer };
    const declared = operation?.replies.get(status)?.get('application/problem+json');
    assertKept(validators.at(declared ?? problemSchema), body, `${operation?.operationId ?? 'no operation'} ${status}`);
    return {
      status,
      reason,
      headers: {
        'Content-Type': 'application/problem+json',
        'Cache-Control': 'no-store',
        ...(challenge && { 'PAYMENT-REQUIRED': composeChallengeHeader(challenge.text, paymentError) }),
        ...(details.retryAfterSeconds !== undefined && { 'Retry-After': String(details.retryAfterSeconds) }),
        ...details.headers,
      },
      body: JSON.stringify(body),
      ...(paymentId !== undefined && { about: () => ({ paymentId }) }),
    };
  };
}

/** The header of a challenge, from its JSON without the last brace. */
function composeChallengeHeader(text: string, paymentError: string): string {
  return Buffer.from(`${text},"error":${JSON.stringify(paymentError)}}`).toString('base64');
}

/** The sign-in request of an error, or the challenge, which is short if the reply has a PAYMENT-RESPONSE. */
function challengeFor(
  { paymentRequired: signInRequest, headers }: ServiceErrorDetails,
  challengeOf: (() => Challenge) | undefined,
): { readonly members: object; readonly text: string } | undefined {
  if (signInRequest !== undefined) return { members: signInRequest, text: JSON.stringify(signInRequest).slice(0, -1) };
  const challenge = challengeOf?.();
  return headers?.['PAYMENT-RESPONSE'] === undefined ? challenge : challenge?.short();
}
