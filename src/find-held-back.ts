import type { FeedLines } from './open-feeds.js';
import type { SourceStanding } from './sources/standings-reader.js';

/**
 * The feeds that are not to be published yet: before its first publication, a feed of county records while none of its
 * sources was read to its end, and the leads while the sources of either were not even tried. What would be published
 * now would say that nothing is there.
 */
export async function findHeldBack(
  readStandings: () => Promise<readonly SourceStanding[]>,
  lines: FeedLines,
): Promise<ReadonlySet<keyof FeedLines>> {
  const names = ['signals', 'auctions', 'leads'] as const;
  const versions = await Promise.all(names.map(async (name) => (await lines[name].currentVersion()).version));
  const unpublished = names.filter((_name, index) => versions[index] === 0);
  if (unpublished.length === 0) return new Set();
  const configured = (await readStandings()).filter((each) => !each.removed);
  const isHeld = {
    signals: isPending(configured, 'signals', wasRead),
    auctions: isPending(configured, 'auctions', wasRead),
    leads: isPending(configured, 'signals', wasTried) || isPending(configured, 'auctions', wasTried),
  };
  return new Set(unpublished.filter((name) => isHeld[name]));
}

/** Whether a kind of records has sources, and none of them is as it is to be. */
function isPending(
  configured: readonly SourceStanding[],
  delivers: 'signals' | 'auctions',
  isAsMeant: (standing: SourceStanding) => boolean,
): boolean {
  const own = configured.filter((each) => each.delivers === delivers);
  return own.length > 0 && !own.some(isAsMeant);
}

function wasRead({ lastCompletedAt }: SourceStanding): boolean {
  return lastCompletedAt !== undefined;
}

function wasTried({ lastRun }: SourceStanding): boolean {
  return lastRun !== undefined && lastRun.status !== 'running';
}
