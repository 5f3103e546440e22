import type { DealColumns } from '../../feeds/query/deal-kind.js';
import { memoizeLast } from '../../operations/memoize-last.js';
import type { DealSnapshot } from '../../records/feeds/deal-feed.js';

const indexOf = memoizeLast(
  ({ records }: DealSnapshot): ReadonlyMap<string, DealColumns> =>
    new Map(Array.from(records, (deal) => [deal.id, deal])),
);

/**
 * The deal with an id in a feed version; undefined when there is none. The first lookup in a version builds its index.
 */
export function findDeal(snapshot: DealSnapshot, id: string): DealColumns | undefined {
  return indexOf(snapshot).get(id);
}
