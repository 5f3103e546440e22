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
  if (reason === undefined) return { outcome: outcomeOfStatus(status, isPriced) ?? 'refused', reason: 'other' };
  if (reason === 'payment_required') return { outcome: 'asked', reason };
  const outcome = outcomeOfStatus(status, isPriced) ?? (faultyReasons.has(reason) ? 'faulty' : 'refused');
  return { outcome, reason };
}

function outcomeOfStatus(status: number, isPriced: boolean): Outcome | undefined {
  if (status === 429) return 'limited';
  if (status >= 500) return status === 503 ? 'unavailable' : 'failed';
  return isPriced && status === 404 ? 'unmatched' : undefined;
}
