import { dealSorts, type DealFilter } from '../../feeds/query/deal-kind.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import type { Handler } from '../handler.js';
import { pageFromQuery, sellPage, type ExplainNone } from './answers.js';
import { dealFilterFromQuery } from './filters-from-query.js';

/**
 * GET /api/deals: the matching deals, best first, in the view that is asked for. GET /api/deals/hot: the same of one
 * part of the feed.
 */
export function createListDeals(
  feed: DealFeed,
  explain: ExplainNone<DealFilter>,
  part: DealFilter = {},
): Handler<'listDeals'> & Handler<'listHotDeals'> {
  return ({ query }) => {
    const filter = { ...dealFilterFromQuery(query), ...part };
    const how = pageFromQuery(dealSorts, query);
    return query.view === 'compact'
      ? sellPage(feed, 'compact', filter, how, explain)
      : sellPage(feed, 'full', filter, how, explain);
  };
}
