import type { AuctionsFeed, SignalsFeed } from '../../../generated/types.gen.js';
import { isUpcoming } from '../../feeds/query/auction-kind.js';
import { countPositions } from '../../feeds/query/bitmap.js';
import { todaysAt } from '../../places/metros/local-date-of.js';
import type { AuctionSnapshot, SignalSnapshot } from './sold-feeds.js';

const notYet = { reason: 'not_yet_observed' } as const;

/** Summarizes the current signals feed. */
export function signalCoverage({ records, index }: SignalSnapshot): SignalsFeed['coverage'] {
  return {
    total_signals: records.length,
    with_address: countPositions(index.match({ hasAddress: true })),
    counties: index.counties ?? 0,
    ...freshestOf(index.freshestMs),
  };
}

/** Summarizes the current auctions feed; upcoming sales are counted as an unfiltered call returns them. */
export function auctionCoverage({ records, index }: AuctionSnapshot, now: Date): AuctionsFeed['coverage'] {
  const todays = todaysAt(now);
  const auctions = [...records];
  const upcoming = auctions.filter((record) => isUpcoming(record, todays));
  const [next, furthest] = [upcoming[0], upcoming.at(-1)];
  const { freshest, absent } = freshestOf(latest(auctions.map(({ lastSeenMs }) => lastSeenMs)));
  return {
    upcoming_sales: upcoming.length,
    next_sale_date: next?.saleDate ?? null,
    furthest_sale_date: furthest?.saleDate ?? null,
    counties: index.counties ?? 0,
    freshest,
    absent: { ...(next === undefined ? { next_sale_date: notYet, furthest_sale_date: notYet } : {}), ...absent },
  };
}

function freshestOf(freshestMs: number | undefined): Pick<SignalsFeed['coverage'], 'freshest' | 'absent'> {
  if (freshestMs === undefined) return { freshest: null, absent: { freshest: notYet } };
  return { freshest: new Date(freshestMs).toISOString(), absent: {} };
}

function latest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : times.reduce((one, other) => Math.max(one, other));
}
