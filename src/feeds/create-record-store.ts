import type { FeedKind } from './feed-kind.js';
import type { Identified } from './identified.js';
import { compareRanks } from './feed-order.js';
import { hashId } from './id-table.js';
import { createPackedStore } from './packed-store.js';
import type { RecordStore } from './record-store.js';

/** Creates an empty store: of packed records where the kind says how, else of objects. */
export function createRecordStore<Rank extends Identified, Columns extends Rank, Item extends Columns>(
  kind: FeedKind<Rank, Columns, never>,
): RecordStore<Item> {
  const { packing, order } = kind;
  // What is packed is its columns and nothing else.
  return packing === undefined
    ? createObjectStore<Item>(compareRanks<Rank>(order))
    : (createPackedStore(packing, order) as RecordStore<Columns> as RecordStore<Item>);
}

/** Records may hold their bytes: none is kept for longer than a version needs it. */
function createObjectStore<Item extends Identified>(compare: (one: Item, other: Item) => number): RecordStore<Item> {
  const records: Item[] = [];
  const at = (row: number): Item => records[row] as Item;
  return {
    get size() {
      return records.length;
    },
    add: (record) => records.push(record as Item) - 1,
    at,
    compare: (one, other) => compare(at(one), at(other)),
    idHash: (row) => hashId(at(row).id),
    hasSameId: (one, other) => at(one).id === at(other).id,
    spareShare: 0,
  };
}
