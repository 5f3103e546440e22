import type { ListDealsData } from '../../../generated/types.gen.js';
import { hundredthsAtLeast, hundredthsAtMost, type DealFilter } from '../../feeds/query/deal-filter.js';

/** Converts query parameters to the domain's filter. Thresholds become exact integers. */
export function dealFilterFromQuery(query: NonNullable<ListDealsData['query']>): DealFilter {
  return {
    ...(query.state === undefined ? {} : { state: query.state.toUpperCase() }),
    ...(query.city === undefined ? {} : { city: query.city }),
    ...(query.min_price === undefined ? {} : { minPriceCents: hundredthsAtLeast(query.min_price) }),
    ...(query.max_price === undefined ? {} : { maxPriceCents: hundredthsAtMost(query.max_price) }),
    ...(query.min_cap === undefined ? {} : { minCapHundredths: hundredthsAtLeast(query.min_cap) }),
    ...(query.min_units === undefined ? {} : { minUnits: query.min_units }),
    ...(query.max_units === undefined ? {} : { maxUnits: query.max_units }),
    ...(query.min_score === undefined ? {} : { minScore: query.min_score }),
    ...(query.status === undefined ? {} : { status: query.status }),
  };
}
