import type { BasicDeal, Deal } from '../../generated/types.gen.js';
import type { DealFeed } from '../feeds/deal-feed.js';
import type { Handler } from './handler.js';
import { sellPage } from './sell-page.js';

/** GET /api/deals/hot: an advertised cap of 8.5% or more and a computed DSCR. */
export function createListHotDeals(feed: DealFeed<Deal, BasicDeal>): Handler<'listHotDeals'> {
  return ({ query }) =>
    sellPage(
      (request) => feed.fullPage(request),
      { hotOnly: true },
      query.limit,
      () => feed.current(),
    );
}
