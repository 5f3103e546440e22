import type { BasicDeal, Deal } from '../../generated/types.gen.js';
import { maxPageRecords, type DealFeed } from '../feeds/deal-feed.js';
import type { Handler } from './handler.js';
import { nothingMatches } from './nothing-matches.js';
import { pageHeaders } from './page-headers.js';

/** GET /api/deals/hot: an advertised cap of 8.5% or more and a computed DSCR. */
export function createListHotDeals(feed: DealFeed<Deal, BasicDeal>): Handler<'listHotDeals'> {
  return ({ query }) => {
    const filter = { hotOnly: true };
    const page = feed.fullPage({ filter, limit: query.limit ?? maxPageRecords });
    if (page.total === 0) throw nothingMatches(filter, feed.current());
    return { status: 200, body: page.body, headers: pageHeaders(page), feed: { name: 'deals', version: page.version } };
  };
}
