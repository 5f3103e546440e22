import type { FeedPublishers } from './open-feed-publishers.js';
import type { SourceStanding } from '../sources/standings-reader.js';

/**
 * The feeds that are not to be published yet: before its first publication, a feed of county records while none of its
 * sources was tried, and the leads while the sources of either were not. What would be published now would say that
 * nothing is there. One that was tried in vain holds up nothing: its county is told to be read for the first time.
 */
export async function findHeldBack(
  readStandings: () => Promise<readonly SourceStanding[]>,
  publishers: FeedPublishers,
): Promise<ReadonlySet<keyof FeedPublishers>> {
  const names = ['signals', 'auctions', 'leads'] as const;
  const versions = await Promise.all(names.map(async (name) => (await publishers[name].currentVersion()).version));
  const unpublished = names.filter((_name, index) => versions[index] === 0);
  if (unpublished.length === 0) return new Set();
  const configured = (await readStandings()).filter((each) => !each.removed);
  const isHeld = {
    signals: isPending(configured, 'signals'),
    auctions: isPending(configured, 'auctions'),
    leads: isPending(configured, 'signals') || isPending(configured, 'auctions'),
  };
  return new Set(unpublished.filter((name) => isHeld[name]));
}

/** Whether a kind of records has sources, and none of them was tried. */
function isPending(configured: readonly SourceStanding[], delivers: 'signals' | 'auctions'): boolean {
  const own = configured.filter((each) => each.delivers === delivers);
  return own.length > 0 && !own.some(wasTried);
}

function wasTried({ lastRun }: SourceStanding): boolean {
  return lastRun !== undefined && lastRun.status !== 'running';
}
