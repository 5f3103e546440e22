import type { ServiceError, Reason } from '../errors.js';
import type { FeedIndex } from '../feeds/feed-kind.js';
import type { LeadFilter } from '../feeds/lead-kind.js';
import type { ExplainNothing } from './explain-nothing.js';

/** Why there is no lead for a filter: its place is not read, or else `reason`. Never billed. */
export function noLeadMatches(
  filter: LeadFilter,
  { places }: FeedIndex<LeadFilter>,
  reason: Reason,
  explain: ExplainNothing,
): Promise<ServiceError> {
  const { state, county, fromDate, toDate } = filter;
  const hint =
    fromDate !== undefined && toDate !== undefined && fromDate > toDate ? ' from_date is after to_date.' : '';
  const what =
    reason === 'no_exclusive_lead_available'
      ? 'No lead that matches all filters is left to be sold exclusively.'
      : 'No lead matches all filters.';
  return explain({ feed: 'leads', place: { state, county }, places, reason, detail: `${what}${hint}` });
}
