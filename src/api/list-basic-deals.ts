import type { BasicDeal, Deal } from '../../generated/types.gen.js';
import { maxPageRecords, type DealFeed } from '../feeds/deal-feed.js';
import { dealFilterFromQuery } from './deal-filter-from-query.js';
import type { Handler } from './handler.js';
import { nothingMatches } from './nothing-matches.js';
import { pageHeaders } from './page-headers.js';

/** GET /api/deals/basic: the same filters, fewer columns. */
export function createListBasicDeals(feed: DealFeed<Deal, BasicDeal>): Handler<'listBasicDeals'> {
  return ({ query }) => {
    const filter = dealFilterFromQuery(query);
    const page = feed.basicPage({ filter, limit: query.limit ?? maxPageRecords });
    if (page.total === 0) throw nothingMatches(filter, feed.current());
    return { status: 200, body: page.body, headers: pageHeaders(page), feed: { name: 'deals', version: page.version } };
  };
}
