import { dealFilterFromQuery } from './filters-from-query.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import type { Handler } from '../handler.js';
import { explainNoDeals } from './explain-empty-result.js';
import { pageFromQuery, sellPage } from './answers.js';
import { dealSorts } from '../../feeds/query/deal-kind.js';

/** GET /api/deals: the matching deals, best first. */
export function createListDeals(feed: DealFeed): Handler<'listDeals'> {
  return ({ query }) =>
    sellPage(feed, 'full', dealFilterFromQuery(query), pageFromQuery(dealSorts, query), explainNoDeals);
}
