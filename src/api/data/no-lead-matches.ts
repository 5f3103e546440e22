import type { ServiceError, Reason } from '../../errors.js';
import type { FeedIndex } from '../../feeds/query/feed-kind.js';
import type { LeadFilter } from '../../feeds/query/lead-kind.js';
import { hasRecordOf } from './coverage-of.js';
import type { ExplainNothing } from './explain-nothing.js';

/** The error when no lead matches a filter: its place is not covered, or else `reason`. Never billed. */
export function noLeadMatches(
  filter: LeadFilter,
  index: FeedIndex<LeadFilter>,
  reason: Reason,
  explain: ExplainNothing,
): Promise<ServiceError> {
  const { fromDate, toDate, minScore: _any, ...what } = filter;
  const { leadType, ...place } = what;
  const hint =
    fromDate !== undefined && toDate !== undefined && fromDate > toDate ? ' from_date is after to_date.' : '';
  const why =
    reason === 'no_exclusive_lead_available'
      ? 'No lead that matches all filters is available for an exclusive sale.'
      : 'No lead matches all filters.';
  const hasRecord = hasRecordOf(index, what);
  return explain({ feed: 'leads', leadType, place, hasRecord, reason, detail: `${why}${hint}` });
}
