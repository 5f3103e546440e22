import { dealSorts, type DealFilter } from '../../feeds/query/deal-kind.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import type { Handler, Query } from '../handler.js';
import { pageFromQuery, sellPage, type ExplainNone } from './answers.js';
import { dealFilterFromQuery } from './filters-from-query.js';

/** GET /api/deals: the matching deals, best first. */
export function createListDeals(feed: DealFeed, explain: ExplainNone<DealFilter>): Handler<'listDeals'> {
  return ({ query }) => sellDeals(feed, query, {}, explain);
}

/** The deals of a query that are in a part of the feed too, in the view that it asks for. */
export function sellDeals(
  feed: DealFeed,
  query: Query<'listDeals'>,
  part: DealFilter,
  explain: ExplainNone<DealFilter>,
) {
  const filter = { ...dealFilterFromQuery(query), ...part };
  const how = pageFromQuery(dealSorts, query);
  return query.view === 'compact'
    ? sellPage(feed, 'compact', filter, how, explain)
    : sellPage(feed, 'full', filter, how, explain);
}
