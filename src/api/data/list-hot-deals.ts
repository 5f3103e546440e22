import { dealFilterFromQuery } from './filters-from-query.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import type { Handler } from '../handler.js';
import { explainNoDeals } from './explain-empty-result.js';
import { sellPage } from './answers.js';

/** GET /api/deals/hot: an advertised cap of 8.5% or more and a computed DSCR. */
export function createListHotDeals(feed: DealFeed): Handler<'listHotDeals'> {
  return ({ query }) =>
    sellPage(feed, 'full', { ...dealFilterFromQuery(query), hotOnly: true }, query.limit, explainNoDeals);
}
