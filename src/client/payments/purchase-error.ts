import type { NextStep, ParameterFault, ProblemMembers, Reason } from '../../../generated/types.gen.js';

/** Reasons on the buyer's side, in addition to those of a server. */
export type ClientReason =
  | 'server_unreachable'
  | 'unexpected_answer'
  | 'reply_too_large'
  | 'reply_stalled'
  | 'challenge_unreadable'
  | 'no_acceptable_payment'
  | 'price_above_limit'
  | 'budget_exceeded'
  | 'not_approved'
  | 'not_signed'
  | 'key_needed'
  | 'storage_failed'
  | 'aborted'
  | 'outcome_unknown';

/** True where the answer was too large or too slow: the same request will not end better. */
export function isBeyondBounds({ reason }: { readonly reason: string }): boolean {
  return reason === 'reply_too_large' || reason === 'reply_stalled';
}

export interface PurchaseErrorContext {
  readonly status?: number;
  readonly requestId?: string;
  /** The known state of the payment. Default: none was made. */
  readonly payment?: ProblemMembers['payment'];
  /** The presented payment, as the token's contract knows it. */
  readonly authorization?: { readonly payer: string; readonly nonce: string };
  /** Public id: `GET /api/payments/{payment_id}` returns the payment's state. */
  readonly paymentId?: string;
  /** Dollars, where the price is above the limit. */
  readonly price?: string;
  readonly faults?: readonly ParameterFault[];
  /** Free alternatives. */
  readonly next?: readonly NextStep[];
  readonly cause?: unknown;
}

/**
 * The reason why a call returned no data, with a sentence that says what is wrong and what to do. Thrown errors are
 * instances of the classes in `error-classes.ts`.
 */
export class PurchaseError extends Error {
  override readonly name: string = 'PurchaseError';

  constructor(
    readonly reason: Reason | ClientReason,
    detail: string,
    readonly context: PurchaseErrorContext = {},
  ) {
    super(detail, context.cause === undefined ? undefined : { cause: context.cause });
  }
}
