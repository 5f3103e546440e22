import type { DealFilter } from '../../feeds/query/deal-kind.js';
import type { LeadFilter } from '../../feeds/query/lead-kind.js';

/** Explains from the filter why no deal matches. `isKnownCity`: whether any deal is in a city. */
export function describeNoDeals(filter: DealFilter, isKnownCity: (city: string) => boolean): string {
  const { city, minPriceCents = 0, maxPriceCents = Infinity, minUnits = 0, maxUnits = Infinity } = filter;
  const hints = [
    city !== undefined && !isKnownCity(city)
      ? 'No deal is in this city; GET /api/deals/ids lists every city, free.'
      : [],
    minPriceCents > maxPriceCents ? 'min_price is above max_price.' : [],
    minUnits > maxUnits ? 'min_units is above max_units.' : [],
  ];
  return ['No active deal matches all filters.', ...hints.flat()].join(' ');
}

/** Explains from the filter why no lead matches. `isExclusive`: the lead was to be bought exclusively. */
export function describeNoLeads({ fromDate = '', toDate = '9999' }: LeadFilter, isExclusive = false): string {
  const why = isExclusive
    ? 'No lead that matches all filters is available for an exclusive sale.'
    : 'No lead matches all filters.';
  return fromDate > toDate ? `${why} from_date is after to_date.` : why;
}
