import { dealFilterFromQuery } from './filters-from-query.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import type { Handler } from '../handler.js';
import { explainNoDeals } from './explain-empty-result.js';
import { pageFromQuery, sellPage } from './answers.js';
import { dealSorts } from '../../feeds/query/deal-kind.js';

/** GET /api/deals/basic: the same filters, fewer columns. */
export function createListBasicDeals(feed: DealFeed): Handler<'listBasicDeals'> {
  return ({ query }) =>
    sellPage(feed, 'basic', dealFilterFromQuery(query), pageFromQuery(dealSorts, query), explainNoDeals);
}
