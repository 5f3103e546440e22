import type { ListLeadsData } from '../../../generated/types.gen.js';
import type { LeadFilter } from '../../feeds/query/lead-kind.js';

/** Converts the query of a leads operation to a filter. */
export function leadFilterFromQuery(query: NonNullable<ListLeadsData['query']>): LeadFilter {
  return {
    ...(query.state === undefined ? {} : { state: query.state.toUpperCase() }),
    ...(query.county === undefined ? {} : { county: query.county }),
    ...(query.lead_type === undefined ? {} : { leadType: query.lead_type }),
    ...(query.min_score === undefined ? {} : { minScore: query.min_score }),
    ...(query.from_date === undefined ? {} : { fromDate: query.from_date }),
    ...(query.to_date === undefined ? {} : { toDate: query.to_date }),
  };
}
