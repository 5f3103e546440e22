import { ServiceError } from '../../errors.js';
import type { DealFilter } from '../../feeds/query/deal-kind.js';
import type { FeedIndex } from '../../feeds/query/feed-kind.js';
import { hasRecordOf } from './coverage-of.js';

/**
 * The error when no deal matches a filter: the state is not covered, or nothing fits. Coverage is by state, since
 * listing sources are read by state. A hint names a minimum above its maximum. Never billed.
 */
export function nothingMatches(filter: DealFilter, index: FeedIndex<DealFilter>): ServiceError {
  const { state, city } = filter;
  if (state !== undefined && !hasRecordOf(index, { state }))
    return new ServiceError(
      'outside_coverage',
      `No source of deals reads ${state.toUpperCase()}. GET /api/deals/ids lists every state and city, free. Nothing was billed.`,
    );
  const cityHint =
    city === undefined || hasRecordOf(index, { city })
      ? ''
      : ' No deal is in this city; GET /api/deals/ids lists every city, free.';
  return new ServiceError(
    'no_records_match',
    `No active deal matches all filters.${cityHint}${boundsHint(filter)} Nothing was billed.`,
  );
}

function boundsHint(filter: DealFilter): string {
  const above = (low: number | undefined, high: number | undefined) =>
    low !== undefined && high !== undefined && low > high;
  if (above(filter.minPriceCents, filter.maxPriceCents)) return ' min_price is above max_price.';
  if (above(filter.minUnits, filter.maxUnits)) return ' min_units is above max_units.';
  return '';
}
