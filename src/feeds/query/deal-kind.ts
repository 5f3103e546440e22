import type { DealColumns, DealRank } from './deal-columns.js';
import type { DealFilter } from './deal-filter.js';
import { createDealIndex } from './deal-index.js';
import type { FeedKind } from './feed-kind.js';

/** The deals feed: deal_score desc, confidence_score desc, id asc. Source: docs/decisions/contract.md. */
export const dealKind: FeedKind<DealRank, DealColumns, DealFilter> = {
  name: 'deals',
  order: [
    { by: 'dealScore', descending: true },
    { by: 'confidenceHundredths', descending: true },
  ],
  // What stands in the database is what a publication wrote there.
  readColumns: (json) => ({
    ...(json as unknown as DealColumns),
    lastVerified: new Date(String(json['lastVerified'])),
  }),
  createIndex: createDealIndex,
};
