import { dealFilterFromQuery } from './filters-from-query.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import type { Handler } from '../handler.js';
import { pageFromQuery, sellPage, type ExplainNone } from './answers.js';
import { dealSorts, type DealFilter } from '../../feeds/query/deal-kind.js';

/** GET /api/deals: the matching deals, best first. */
export function createListDeals(feed: DealFeed, explain: ExplainNone<DealFilter>): Handler<'listDeals'> {
  return ({ query }) => sellPage(feed, 'full', dealFilterFromQuery(query), pageFromQuery(dealSorts, query), explain);
}
