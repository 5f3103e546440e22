import type { Reason } from '../errors.js';
import type { OperationReply } from './operation.js';

/** The outcomes that only calls of priced operations have. */
export const paidOutcomes = ['asked', 'sold', 'redelivered', 'unmatched'] as const;
export const otherOutcomes = ['refused', 'faulty', 'unchanged', 'limited', 'unavailable', 'failed'] as const;
export type Outcome = (typeof paidOutcomes)[number] | (typeof otherOutcomes)[number] | 'free';

const faultyReasons: ReadonlySet<Reason> = new Set<Reason>([
  'invalid_parameter',
  'unknown_parameter',
  'missing_parameter',
  'invalid_deal_id',
  'placeholder_not_replaced',
  'address_not_parsed',
]);

/**
 * The outcome of a call, for metrics and the log of requests. A call with faulty parameters is `faulty`, not `refused`.
 * The reason of an error is `other` where the MCP library wrote the reply.
 */
export function outcomeOf(
  { status, reason, isRepeated }: OperationReply,
  isPriced: boolean,
): { readonly outcome: Outcome; readonly reason?: Reason | 'other' } {
  if (status === 304) return { outcome: 'unchanged' };
  if (status < 400) return { outcome: !isPriced ? 'free' : isRepeated ? 'redelivered' : 'sold' };
  const outcome = outcomeOfError(status, reason, isPriced);
  return { outcome, reason: reason ?? 'other' };
}

function outcomeOfError(status: number, reason: Reason | undefined, isPriced: boolean): Outcome {
  if (reason === 'payment_required') return 'asked';
  if (status === 429) return 'limited';
  if (status >= 500) return status === 503 ? 'unavailable' : 'failed';
  if (isPriced && status === 404) return 'unmatched';
  return reason !== undefined && faultyReasons.has(reason) ? 'faulty' : 'refused';
}
