import type { DealColumns, DealRank } from './deal-columns.js';
import type { DealFilter } from './deal-filter.js';
import { createDealIndex } from './deal-index.js';
import type { FeedKind } from './feed-kind.js';

/** The deals feed: deal_score desc, confidence_score desc, id asc. Source: the contract decisions. */
export const dealKind: FeedKind<DealRank, DealColumns, DealFilter> = {
  name: 'deals',
  compare(one, other) {
    if (one.dealScore !== other.dealScore) return other.dealScore - one.dealScore;
    if (one.confidenceHundredths !== other.confidenceHundredths)
      return other.confidenceHundredths - one.confidenceHundredths;
    return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
  },
  rankOf: ({ dealScore, confidenceHundredths, id }) => ({ dealScore, confidenceHundredths, id }),
  // What stands in the database is what a publication wrote there.
  readColumns: (json) => ({
    ...(json as unknown as DealColumns),
    lastVerified: new Date(String(json['lastVerified'])),
  }),
  createIndex: createDealIndex,
};
