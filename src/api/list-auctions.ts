import type { ListAuctionsData } from '../../generated/types.gen.js';
import { ServiceError } from '../errors.js';
import type { AuctionFilter } from '../feeds/auction-kind.js';
import { hundredthsAtLeast } from '../feeds/deal-filter.js';
import type { FeedIndex } from '../feeds/feed-kind.js';
import { daysAt, todaysAt } from '../metros/local-date-of.js';
import type { AuctionFeed } from './auction-feed.js';
import type { Handler } from './handler.js';
import { isCountyOutside } from './is-county-outside.js';
import { sellPage } from './sell-page.js';

/** GET /api/auctions: foreclosure sales, soonest first; future ones unless past ones are asked for. */
export function createListAuctions(feed: AuctionFeed, now: () => Date): Handler<'listAuctions'> {
  return async ({ query }) => {
    const at = now();
    const reply = await sellPage(feed, 'full', filterFrom(query, at), query.limit, nothingMatches);
    // Which sales are still to come changes with the day.
    return { ...reply, feed: { ...reply.feed, asOf: daysAt(at) } };
  };
}

function filterFrom(query: NonNullable<ListAuctionsData['query']>, now: Date): AuctionFilter {
  return {
    ...(query.county === undefined ? {} : { county: query.county }),
    ...(query.from_date === undefined ? {} : { fromDate: query.from_date }),
    ...(query.to_date === undefined ? {} : { toDate: query.to_date }),
    ...(query.min_appraised === undefined ? {} : { minAppraisedCents: hundredthsAtLeast(query.min_appraised) }),
    ...(query.include_past === true ? {} : { todays: todaysAt(now) }),
  };
}

function nothingMatches(filter: AuctionFilter, { places }: FeedIndex<AuctionFilter>): ServiceError {
  if (filter.county !== undefined && isCountyOutside(filter.county, places)) {
    return new ServiceError(
      'outside_coverage',
      'The feed does not cover this county. GET /api/meta tells what is covered. Nothing was billed.',
    );
  }
  return new ServiceError('no_records_match', `No sale matches all filters.${hintFor(filter)} Nothing was billed.`);
}

function hintFor({ fromDate, toDate, todays }: AuctionFilter): string {
  if (fromDate !== undefined && toDate !== undefined && fromDate > toDate) return ' from_date is after to_date.';
  return todays === undefined ? '' : ' Past sales come only with include_past=true.';
}
