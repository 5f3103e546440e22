import { ServiceError, type Reason } from '../errors.js';
import { foldPlace, type FeedIndex } from '../feeds/feed-kind.js';
import type { LeadFilter } from '../feeds/lead-kind.js';
import { metros } from '../metros/metros.js';
import { isCountyOutside } from './is-county-outside.js';

/** Why there is no lead for a filter: its place is not covered at all, or else `reason`. Never billed. */
export function noLeadMatches(filter: LeadFilter, { places }: FeedIndex<LeadFilter>, reason: Reason): ServiceError {
  const { state, county, fromDate, toDate } = filter;
  const isStateOutside =
    state !== undefined && !places.has(foldPlace(state)) && !metros.some((metro) => metro.state === state);
  if (isStateOutside || (county !== undefined && isCountyOutside(county, places))) {
    return new ServiceError(
      'outside_coverage',
      'The feed does not cover this place. GET /api/meta tells what is covered. Nothing was billed.',
    );
  }
  const hint =
    fromDate !== undefined && toDate !== undefined && fromDate > toDate ? ' from_date is after to_date.' : '';
  const what =
    reason === 'no_exclusive_lead_available'
      ? 'No lead that matches all filters is left to be sold exclusively.'
      : 'No lead matches all filters.';
  return new ServiceError(reason, `${what}${hint} Nothing was billed.`);
}
