import type { BasicDeal, Deal } from '../../generated/types.gen.js';
import type { DealFeed } from '../feeds/deal-feed.js';
import { dealFilterFromQuery } from './deal-filter-from-query.js';
import type { Handler } from './handler.js';
import { sellPage } from './sell-page.js';

/** GET /api/deals/basic: the same filters, fewer columns. */
export function createListBasicDeals(feed: DealFeed<Deal, BasicDeal>): Handler<'listBasicDeals'> {
  return ({ query }) =>
    sellPage(
      (request) => feed.basicPage(request),
      dealFilterFromQuery(query),
      query.limit,
      () => feed.current(),
    );
}
