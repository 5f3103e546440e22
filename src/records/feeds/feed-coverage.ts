import type { AuctionsFeed, SignalsFeed } from '../../../generated/types.gen.js';
import { isUpcoming } from '../../feeds/query/auction-kind.js';
import { todaysAt } from '../../places/metros/local-date-of.js';
import type { AuctionFeed, SignalFeed } from './sold-feeds.js';

const notYet = { reason: 'not_yet_observed' } as const;

/** Summarizes what the signals feed shows now. */
export function signalCoverage(feed: SignalFeed): SignalsFeed['coverage'] {
  // There may be a million: they are looked through only until something that was taken down is gone.
  const shown = feed.hasTakedowns() ? [...feed.shown()] : undefined;
  const { counties = 0, freshestMs } = shown ? summaryOf(shown) : feed.current().index;
  return {
    total_signals: feed.tally({}, []).total,
    with_address: feed.tally({ hasAddress: true }, []).total,
    counties,
    ...freshestOf(freshestMs),
  };
}

/** Summarizes what the auctions feed shows now; upcoming sales are counted as an unfiltered call returns them. */
export function auctionCoverage(feed: AuctionFeed, now: Date): AuctionsFeed['coverage'] {
  const todays = todaysAt(now);
  const auctions = [...feed.shown()];
  const upcoming = auctions.filter((record) => isUpcoming(record, todays));
  const [next, furthest] = [upcoming[0], upcoming.at(-1)];
  const { counties, freshestMs } = summaryOf(auctions);
  const { freshest, absent } = freshestOf(freshestMs);
  return {
    upcoming_sales: upcoming.length,
    next_sale_date: next?.saleDate ?? null,
    furthest_sale_date: furthest?.saleDate ?? null,
    counties,
    freshest,
    absent: { ...(next === undefined ? { next_sale_date: notYet, furthest_sale_date: notYet } : {}), ...absent },
  };
}

function freshestOf(freshestMs: number | undefined): Pick<SignalsFeed['coverage'], 'freshest' | 'absent'> {
  if (freshestMs === undefined) return { freshest: null, absent: { freshest: notYet } };
  return { freshest: new Date(freshestMs).toISOString(), absent: {} };
}

function summaryOf(records: readonly { readonly county?: string | undefined; readonly lastSeenMs: number }[]) {
  const latest = records.reduce((one, { lastSeenMs }) => Math.max(one, lastSeenMs), -Infinity);
  const counties = new Set(records.map(({ county }) => county)).size;
  return { counties, freshestMs: records.length === 0 ? undefined : latest };
}
