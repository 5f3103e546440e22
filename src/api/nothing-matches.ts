import { ServiceError } from '../errors.js';
import type { DealFilter } from '../feeds/deal-filter.js';
import { foldPlace, type FeedIndex } from '../feeds/feed-kind.js';
import { foldCity } from '../feeds/place-match.js';

/**
 * Why a filter matches nothing: the place is not covered at all, or no record fits; with a hint where a minimum stands
 * above its maximum. Never billed.
 */
export function nothingMatches(filter: DealFilter, { places }: FeedIndex<DealFilter>): ServiceError {
  const { state, city } = filter;
  if (state !== undefined && !places.has(foldPlace(state))) {
    return new ServiceError(
      'outside_coverage',
      `The feed does not cover the state ${state}. GET /api/meta tells what is covered.`,
    );
  }
  if (city !== undefined && !places.has(foldCity(city))) {
    return new ServiceError(
      'outside_coverage',
      'The feed does not cover this city. GET /api/deals/ids lists every city, free.',
    );
  }
  return new ServiceError(
    'no_records_match',
    `No active deal matches all filters.${boundsHint(filter)} Nothing was billed.`,
  );
}

function boundsHint(filter: DealFilter): string {
  const above = (low: number | undefined, high: number | undefined) =>
    low !== undefined && high !== undefined && low > high;
  if (above(filter.minPriceCents, filter.maxPriceCents)) return ' min_price is above max_price.';
  if (above(filter.minUnits, filter.maxUnits)) return ' min_units is above max_units.';
  return '';
}
