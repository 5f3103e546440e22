import type { SourceStanding } from '../sources/standings-reader.js';
import type { FeedPublishers } from './open-feed-publishers.js';

type DeferrableFeed = 'signals' | 'auctions' | 'leads';

/** Feeds whose first publication must wait. */
export type DeferredFeeds = ReadonlySet<DeferrableFeed>;

/**
 * Finds the feeds whose first publication waits: a feed of county records until one of its sources was tried, and the
 * leads until one of each kind was. Published now, they would claim that there are no records. A kind without sources
 * defers nothing, nor does a source whose last reading failed: buyers see that its county has not been read yet.
 */
export async function findDeferredFeeds(
  readStandings: () => Promise<readonly SourceStanding[]>,
  publishers: FeedPublishers,
): Promise<DeferredFeeds> {
  const names: readonly DeferrableFeed[] = ['signals', 'auctions', 'leads'];
  const versions = await Promise.all(names.map(async (name) => (await publishers[name].currentVersion()).version));
  const unpublished = names.filter((_name, index) => versions[index] === 0);
  if (unpublished.length === 0) return new Set();
  const configured = (await readStandings()).filter((each) => !each.removed);
  const signals = isPending(configured, 'signals');
  const auctions = isPending(configured, 'auctions');
  const isDeferred = { signals, auctions, leads: signals || auctions };
  return new Set(unpublished.filter((name) => isDeferred[name]));
}

/** Whether a kind of records has sources, and none of them was tried. */
function isPending(configured: readonly SourceStanding[], delivers: 'signals' | 'auctions'): boolean {
  const own = configured.filter((each) => each.delivers === delivers);
  return own.length > 0 && !own.some(wasTried);
}

function wasTried({ lastRun }: SourceStanding): boolean {
  return lastRun !== undefined && lastRun.status !== 'running';
}
