import type { BasicDeal, Deal } from '../../generated/types.gen.js';
import type { DealFeed } from '../feeds/deal-feed.js';
import { dealFilterFromQuery } from './deal-filter-from-query.js';
import type { Handler } from './handler.js';
import { sellPage } from './sell-page.js';

/** GET /api/deals: the matching slice, best first. */
export function createListDeals(feed: DealFeed<Deal, BasicDeal>): Handler<'listDeals'> {
  return ({ query }) =>
    sellPage(
      (request) => feed.fullPage(request),
      dealFilterFromQuery(query),
      query.limit,
      () => feed.current(),
    );
}
