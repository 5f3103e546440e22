import type { AuctionFilter } from '../../feeds/query/auction-kind.js';
import { daysAt } from '../../places/metros/local-date-of.js';
import type { AuctionFeed } from '../../records/feeds/sold-feeds.js';
import type { Handler } from '../handler.js';
import type { ExplainEmptyResult } from '../coverage/explain-empty-result.js';
import { auctionFilterFromQuery } from './filters-from-query.js';
import { pageFromQuery, sellPage } from './answers.js';
import { auctionSorts } from '../../feeds/query/auction-kind.js';

/** GET /api/auctions: foreclosure sales, soonest first. Past sales only on request. */
export function createListAuctions(
  feed: AuctionFeed,
  now: () => Date,
  explain: ExplainEmptyResult,
): Handler<'listAuctions'> {
  const explainNone = (filter: AuctionFilter) =>
    explain(feed, filter, `No sale matches all filters.${hintFor(filter)}`);
  return ({ query }) => {
    const at = now();
    // The set of upcoming sales changes each day.
    return sellPage(
      feed,
      'full',
      auctionFilterFromQuery(query, at),
      pageFromQuery(auctionSorts, query),
      explainNone,
      daysAt(at),
    );
  };
}

function hintFor({ fromDate, toDate, todays }: AuctionFilter): string {
  if (fromDate !== undefined && toDate !== undefined && fromDate > toDate) return ' from_date is after to_date.';
  return todays === undefined ? '' : ' Past sales require include_past=true.';
}
