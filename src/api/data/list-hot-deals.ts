import { dealFilterFromQuery } from './filters-from-query.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import type { Handler } from '../handler.js';
import { pageFromQuery, sellPage, type ExplainNone } from './answers.js';
import { dealSorts, type DealFilter } from '../../feeds/query/deal-kind.js';

/** GET /api/deals/hot: an advertised cap of 8.5% or more and a computed DSCR. */
export function createListHotDeals(feed: DealFeed, explain: ExplainNone<DealFilter>): Handler<'listHotDeals'> {
  return ({ query }) =>
    sellPage(feed, 'full', { ...dealFilterFromQuery(query), hotOnly: true }, pageFromQuery(dealSorts, query), explain);
}
