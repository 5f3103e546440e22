import type { DealColumns } from '../feeds/deal-columns.js';
import type { DealSnapshot } from './deal-feed.js';

const indexes = new WeakMap<DealSnapshot, ReadonlyMap<string, DealColumns>>();

/** The deal with an id in a version of the feed; undefined where there is none. The first look-up in a version indexes it. */
export function findDeal(snapshot: DealSnapshot, id: string): DealColumns | undefined {
  let index = indexes.get(snapshot);
  if (index === undefined) {
    index = new Map(Array.from(snapshot.records, (deal) => [deal.id, deal]));
    indexes.set(snapshot, index);
  }
  return index.get(id);
}
