import { dealFilterFromQuery } from './filters-from-query.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import type { Handler } from '../handler.js';
import { pageFromQuery, sellPage, type ExplainNone } from './answers.js';
import { dealSorts, type DealFilter } from '../../feeds/query/deal-kind.js';

/** GET /api/deals/basic: the same filters, fewer columns. */
export function createListBasicDeals(feed: DealFeed, explain: ExplainNone<DealFilter>): Handler<'listBasicDeals'> {
  return ({ query }) => sellPage(feed, 'basic', dealFilterFromQuery(query), pageFromQuery(dealSorts, query), explain);
}
