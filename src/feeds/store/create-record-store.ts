import type { FeedKind } from '../query/feed-kind.js';
import type { Identified } from '../query/identified.js';
import { compareRanks } from '../query/feed-order.js';
import { hashId } from '../query/id-table.js';
import { createPackedStore } from './packed-store.js';
import type { RecordStore } from './record-store.js';

/** Creates an empty store: of packed records where the kind says how, else of objects. */
export function createRecordStore<Rank extends Identified, Columns extends Rank>(
  kind: FeedKind<Rank, Columns, never>,
): RecordStore<Columns> {
  const { packing, order } = kind;
  return packing === undefined
    ? createObjectStore<Columns>(compareRanks<Rank>(order))
    : createPackedStore(packing, order);
}

function createObjectStore<Item extends Identified>(compare: (one: Item, other: Item) => number): RecordStore<Item> {
  const records: Item[] = [];
  const at = (row: number): Item => records[row] as Item;
  return {
    get size() {
      return records.length;
    },
    add: (record) => records.push(record as Item) - 1,
    mark() {
      const { length } = records;
      return () => void (records.length = length);
    },
    at,
    compare: (one, other) => compare(at(one), at(other)),
    idHash: (row) => hashId(at(row).id),
    hasSameId: (one, other) => at(one).id === at(other).id,
  };
}
