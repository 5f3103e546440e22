import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DealColumns } from '../../feeds/query/deal-kind.js';
import type { DealFeed, DealSnapshot } from '../../records/feeds/deal-feed.js';

const dealsPerTurn = 500;

/** The deals of a version without those under takedown since its publication. */
export async function readShown(
  feed: DealFeed,
  { version }: DealSnapshot,
  deals: readonly DealColumns[],
): Promise<readonly DealColumns[]> {
  if (feed.takenBack() === undefined) return deals;
  const shown: DealColumns[] = [];
  for (let start = 0; start < deals.length; start += dealsPerTurn) {
    const some = deals.slice(start, start + dealsPerTurn).map((record) => ({ record, version }));
    const bodies = await feed.read('basic', some);
    shown.push(...some.flatMap(({ record }, place) => (bodies[place] === undefined ? [] : record)));
    await nextTurn();
  }
  return shown;
}
