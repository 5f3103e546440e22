import type { NextStep, ParameterFault, ProblemMembers, Reason } from '../../../generated/types.gen.js';

/** What can go wrong on the buyer's side, beside the reasons that a server gives. */
export type ClientReason =
  | 'server_unreachable'
  | 'unexpected_answer'
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

export interface PurchaseErrorContext {
  readonly status?: number;
  readonly requestId?: string;
  /** What is known of the payment. Default: none was made. */
  readonly payment?: ProblemMembers['payment'];
  /** The payment that was presented, as the token knows it. */
  readonly authorization?: { readonly payer: string; readonly nonce: string };
  /** Its public id: `GET /api/payments/{payment_id}` says what became of it. */
  readonly paymentId?: string;
  readonly faults?: readonly ParameterFault[];
  /** Free things to do instead. */
  readonly next?: readonly NextStep[];
  readonly cause?: unknown;
}

/**
 * Why a call gave no data: a stable reason, and a sentence that says what is wrong and what to do. What is thrown is
 * one of the classes of `error-classes.ts`.
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
