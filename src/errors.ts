/** Every reason an error can have; the closed enum of the contract (`components.schemas.Reason`). */
export const reasons = [
  'invalid_parameter',
  'unknown_parameter',
  'missing_parameter',
  'invalid_deal_id',
  'placeholder_not_replaced',
  'unknown_deal',
  'no_records_match',
  'no_match',
  'address_not_parsed',
  'outside_coverage',
  'no_exclusive_lead_available',
  'no_events',
  'suppressed',
  'payment_required',
  'payment_malformed',
  'payment_invalid',
  'payment_expired',
  'payment_amount_mismatch',
  'payment_wrong_resource',
  'payment_already_used',
  'payment_in_progress',
  'payment_id_conflict',
  'settlement_unknown',
  'settlement_failed',
  'facilitator_unavailable',
  'chain_unavailable',
  'unknown_payment',
  'rate_limited',
  'cursor_expired',
  'reply_suppressed',
  'payload_too_large',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'not_yet_published',
  'temporarily_unavailable',
  'internal_error',
] as const;

export type Reason = (typeof reasons)[number];

const ownFaults: readonly Reason[] = ['facilitator_unavailable', 'chain_unavailable', 'temporarily_unavailable'];

/** True where this server, its node, its database or its facilitator is away: no caller is to blame. */
export function isOwnFault(reason: Reason): boolean {
  return ownFaults.includes(reason);
}

/** What is wrong with one parameter of a request. */
export interface ParameterFault {
  readonly parameter: string;
  readonly in: 'query' | 'path' | 'header';
  readonly reason: 'invalid_parameter' | 'unknown_parameter' | 'missing_parameter' | 'address_not_parsed';
  readonly detail: string;
  readonly nearest?: string;
}

/** Something free that the caller can do instead. */
export interface NextStep {
  readonly title: string;
  readonly url: string;
}

export interface ServiceErrorDetails {
  readonly faults?: readonly ParameterFault[];
  readonly next?: readonly NextStep[];
  /** What is known of the payment that came with the request. Default: none. */
  readonly payment?: 'none' | 'not_settled' | 'settled' | 'unknown';
  /** Public id of that payment. */
  readonly paymentId?: string;
  /** True of a faulty request that came without a payment: a 402, since its header has the price. */
  readonly isUnpaid?: true;
  readonly retryAfterSeconds?: number;
  /** Members of the body beside the ordinary ones, where the contract declares them. */
  readonly members?: object;
  /** The PaymentRequired of x402, without its `error`, of a 402 that asks for something of its own. */
  readonly paymentRequired?: object;
  /** The x402 code of a refused payment (`error` of PaymentRequired). */
  readonly paymentError?: string;
  /** Reply headers beside the ordinary ones. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * An error for the caller: a reason of the closed enum and a sentence that says what to do. Its status
 * and title follow from the reason. The sentence reaches the caller, so it never carries a secret or a source's text.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly reason: Reason,
    detail: string,
    readonly details: ServiceErrorDetails = {},
  ) {
    // The reason says where it comes from; a stack would cost more than the rest of a refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail, details.cause === undefined ? undefined : { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** An error for the operator, at start or on the command line: what is wrong, and what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
