import type { FeedKind, RecordList } from '../query/feed-kind.js';
import type { Identified } from '../query/identified.js';
import { recordsPerTurn } from '../query/records-per-turn.js';
import { compareRanks } from '../query/feed-order.js';
import { createIdTable, hashId } from '../query/id-table.js';
import { inSlices, mergeRows, sortRows } from '../query/order-rows.js';
import { createPackedStore } from './packed-store.js';
import type { RecordStore } from './record-store.js';

/** The records of one version, held in memory in the feed's order. Immutable. */
export interface InMemoryRecords<Item extends Identified> extends RecordList<Item> {
  /**
   * Begins the records of a later version: these, but for what is put and removed. Not before the last one is finished
   * or abandoned.
   */
  change(): RecordChange<Item>;
}

/** The records of a version in the making; each id is put or removed once. */
export interface RecordChange<Item extends Identified> {
  /** Puts a record in, in the place of the one with its id. */
  put(record: Item): void;
  remove(id: string): void;
  /** Brings all in order; `yieldTurn` is awaited between slices of work. */
  finish(yieldTurn: () => Promise<void>): Promise<InMemoryRecords<Item>>;
  /** Gives the memory of what was put back, at any point; what `finish` gave may not be used any more. */
  abandon(): void;
}

/**
 * The records of a feed before its first version: none. Later ones stand in the same store until too many have gone.
 */
export function createEmptyRecords<Rank extends Identified, Columns extends Rank>(
  kind: FeedKind<Rank, Columns, never>,
  store = createRecordStore<Rank, Columns>(kind),
): InMemoryRecords<Columns> {
  return holdRows(store, new Uint32Array(0), () => createRecordStore<Rank, Columns>(kind));
}

type CreateStore<Item extends Identified> = () => RecordStore<Item>;

function holdRows<Item extends Identified>(
  store: RecordStore<Item>,
  rows: Uint32Array,
  createStore: CreateStore<Item>,
): InMemoryRecords<Item> {
  return {
    length: rows.length,
    at(position) {
      const row = rows[position];
      return row === undefined ? undefined : store.at(row);
    },
    idHash: (position) => store.idHash(rows[position] ?? 0),
    async inStoreOrder(yieldTurn) {
      const [places, order] = [new Uint32Array(store.size), new Uint32Array(rows.length)];
      const note = (start: number, end: number): void => {
        for (let position = start; position < end; position++) places[rows[position] ?? 0] = position + 1;
      };
      let count = 0;
      const collect = (start: number, end: number): void => {
        for (let row = start; row < end; row++) if (places[row] !== 0) order[count++] = (places[row] ?? 0) - 1;
      };
      await inSlices(rows.length, note, yieldTurn);
      await inSlices(places.length, collect, yieldTurn);
      return order;
    },
    *[Symbol.iterator]() {
      for (const row of rows) yield store.at(row);
    },
    change() {
      const start = store.size;
      const undo = store.mark();
      const added: number[] = [];
      return {
        put: (record) => void added.push(store.add(record)),
        remove: (id) => void (rows.length > 0 && store.add({ id })),
        async finish(yieldTurn) {
          const left = await leaveOut(store, rows, start, yieldTurn);
          const sorted = await sortRows(Uint32Array.from(added), store.compare, yieldTurn);
          const merged = await mergeRows(left, sorted, store.compare, yieldTurn);
          const unused = store.size - merged.length;
          if (unused <= store.size * spareShare) return holdRows(store, merged, createStore);
          return moveRows(store, merged, createStore, yieldTurn);
        },
        abandon: undo,
      };
    },
  };
}

/** The rows without those whose ids stand in the store from `start` on. */
async function leaveOut<Item extends Identified>(
  store: RecordStore<Item>,
  rows: Uint32Array,
  start: number,
  yieldTurn: () => Promise<void>,
): Promise<Uint32Array> {
  if (rows.length === 0) return rows;
  const find = await createIdTable(store.size - start, (place) => store.idHash(start + place), yieldTurn);
  const left = new Uint32Array(rows.length);
  let count = 0;
  for (let position = 0; position < rows.length; position++) {
    const row = rows[position] ?? 0;
    const again = find(store.idHash(row), (place) => store.hasSameId(row, start + place));
    if (again === undefined) left[count++] = row;
    if (position % recordsPerTurn === recordsPerTurn - 1) await yieldTurn();
  }
  return left.subarray(0, count);
}

/** The share of rows that no version needs at which the rest is moved to another store. */
const spareShare = 0.25;
/** To write a record costs several times as much as to look at it. */
const movedPerTurn = recordsPerTurn / 5;

async function moveRows<Item extends Identified>(
  store: RecordStore<Item>,
  rows: Uint32Array,
  createStore: CreateStore<Item>,
  yieldTurn: () => Promise<void>,
): Promise<InMemoryRecords<Item>> {
  const fresh = createStore();
  const moved = new Uint32Array(rows.length);
  for (let position = 0; position < rows.length; position++) {
    moved[position] = fresh.add(store.at(rows[position] ?? 0));
    if (position % movedPerTurn === movedPerTurn - 1) await yieldTurn();
  }
  return holdRows(fresh, moved, createStore);
}

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
