import type { Reason } from '../../generated/types.gen.js';
import {
  isBeyondBounds,
  PurchaseError,
  type ClientReason,
  type PurchaseErrorContext,
} from './payments/purchase-error.js';

/** The request is invalid: `context.faults` and the message say what to correct. Not charged. */
export class FaultyRequestError extends PurchaseError {
  override readonly name = 'FaultyRequestError';
}

/** The request is valid, but nothing matches it, or it is shown no more. This call charged nothing. */
export class NothingFoundError extends PurchaseError {
  override readonly name = 'NothingFoundError';
}

/** A price cap, the budget or the buyer's callback refused the price. Nothing was signed. */
export class NotApprovedError extends PurchaseError {
  override readonly name = 'NotApprovedError';
}

/** The payment was refused or cannot be made. */
export class PaymentRefusedError extends PurchaseError {
  override readonly name = 'PaymentRefusedError';
}

/** The payment may have been charged. Repeat the call: it presents the same payment, which is charged at most once. */
export class OutcomeUnknownError extends PurchaseError {
  override readonly name = 'OutcomeUnknownError';
}

/** No answer is available now; the same call may succeed later. Not charged. */
export class UnavailableError extends PurchaseError {
  override readonly name = 'UnavailableError';
}

/** The answer does not come from this service, breaks its contract, or is too large or too slow. */
export class UnexpectedAnswerError extends PurchaseError {
  override readonly name = 'UnexpectedAnswerError';
}

/** The caller's signal ended the call. */
export class AbortedError extends PurchaseError {
  override readonly name = 'AbortedError';
}

type ErrorClass = new (...parts: ConstructorParameters<typeof PurchaseError>) => PurchaseError;

const classOf: Readonly<Record<Reason | ClientReason, ErrorClass>> = {
  invalid_parameter: FaultyRequestError,
  unknown_parameter: FaultyRequestError,
  missing_parameter: FaultyRequestError,
  invalid_deal_id: FaultyRequestError,
  placeholder_not_replaced: FaultyRequestError,
  address_not_parsed: FaultyRequestError,
  payload_too_large: FaultyRequestError,
  method_not_allowed: FaultyRequestError,
  not_acceptable: FaultyRequestError,
  unknown_deal: NothingFoundError,
  no_records_match: NothingFoundError,
  no_match: NothingFoundError,
  outside_coverage: NothingFoundError,
  no_exclusive_lead_available: NothingFoundError,
  no_events: NothingFoundError,
  suppressed: NothingFoundError,
  unknown_payment: NothingFoundError,
  cursor_expired: NothingFoundError,
  reply_suppressed: NothingFoundError,
  not_found: NothingFoundError,
  payment_required: PaymentRefusedError,
  payment_malformed: PaymentRefusedError,
  payment_invalid: PaymentRefusedError,
  payment_expired: PaymentRefusedError,
  payment_amount_mismatch: PaymentRefusedError,
  payment_wrong_resource: PaymentRefusedError,
  payment_already_used: PaymentRefusedError,
  payment_id_conflict: PaymentRefusedError,
  settlement_failed: PaymentRefusedError,
  challenge_unreadable: PaymentRefusedError,
  no_acceptable_payment: PaymentRefusedError,
  key_needed: PaymentRefusedError,
  not_signed: PaymentRefusedError,
  storage_failed: PaymentRefusedError,
  price_above_limit: NotApprovedError,
  budget_exceeded: NotApprovedError,
  not_approved: NotApprovedError,
  payment_in_progress: OutcomeUnknownError,
  settlement_unknown: OutcomeUnknownError,
  outcome_unknown: OutcomeUnknownError,
  facilitator_unavailable: UnavailableError,
  chain_unavailable: UnavailableError,
  rate_limited: UnavailableError,
  not_yet_published: UnavailableError,
  temporarily_unavailable: UnavailableError,
  internal_error: UnavailableError,
  server_unreachable: UnavailableError,
  unexpected_answer: UnexpectedAnswerError,
  reply_too_large: UnexpectedAnswerError,
  reply_stalled: UnexpectedAnswerError,
  aborted: AbortedError,
};

/**
 * Creates the error in the class of its reason. Any error with payment "unknown" is an OutcomeUnknownError, except
 * `aborted`, `reply_too_large` and `reply_stalled`. A reason added by a later server is a plain PurchaseError.
 */
export function createPurchaseError(
  reason: Reason | ClientReason,
  detail: string,
  context: PurchaseErrorContext = {},
): PurchaseError {
  const isOpen = context.payment === 'unknown' && reason !== 'aborted' && !isBeyondBounds({ reason });
  const known: ErrorClass | undefined = classOf[reason];
  const Class = isOpen ? OutcomeUnknownError : (known ?? PurchaseError);
  return new Class(reason, detail, context);
}
