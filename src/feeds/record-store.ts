import type { FeedKind, Identified } from './feed-kind.js';
import { compareRanks } from './feed-order.js';
import { hashId } from './id-table.js';
import { createPackedStore } from './packed-store.js';

/**
 * Records by row, in the order in which they were added. A row never changes: versions of a feed share one store, each with
 * rows of its own.
 */
export interface RecordStore<Item extends Identified> {
  readonly size: number;
  /** Adds a record, or an id alone, to know it by. Returns its row. */
  add(record: Item | Identified): number;
  at(row: number): Item;
  /** The feed's order. */
  compare(one: number, other: number): number;
  /** As `hashId` makes it. */
  idHash(row: number): number;
  hasSameId(one: number, other: number): boolean;
  /** The share of rows that no version needs at which the rest is moved to another store. */
  readonly spareShare: number;
}

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
