import type { DealFilter } from '../../feeds/query/deal-kind.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import type { Handler } from '../handler.js';
import type { ExplainNone } from './answers.js';
import { sellDeals } from './list-deals.js';

/** GET /api/deals/hot: an advertised cap of 8.5% or more and a computed DSCR. */
export function createListHotDeals(feed: DealFeed, explain: ExplainNone<DealFilter>): Handler<'listHotDeals'> {
  return ({ query }) => sellDeals(feed, query, { hotOnly: true }, explain);
}
