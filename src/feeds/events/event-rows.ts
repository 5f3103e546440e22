import type { Packing } from '../query/packing.js';
import type { Identified } from '../query/identified.js';
import { createPackedStore } from '../store/packed-store.js';
import type { RecordStore } from '../store/record-store.js';
import { comparePlaces, type EventName, type EventPlace, type EventRules } from './event.js';
import type { StoredEvent } from './event-store.js';

/** An event in memory. */
export interface HeldEvent extends Identified, EventPlace {
  readonly event: EventName;
  readonly atMs: number;
  readonly takedownNumber: number;
}

/** The events of a feed in memory, in their order; packed, since there may be a million. */
export interface EventRows<Columns> {
  readonly size: number;
  add(event: StoredEvent<Columns>): void;
  at(position: number): HeldEvent;
  /** The columns before and after: what filters and takedowns read of them. */
  before(position: number): Columns | undefined;
  after(position: number): Columns | undefined;
  /** Of the id; see `hashId`. */
  idHash(position: number): number;
  /** How many events are at or before a place. */
  countTo(place: EventPlace): number;
  /** Returns the function that removes all that is added from now on. */
  mark(): () => void;
}

interface Row extends Identified {
  readonly version: number;
  readonly ordinal: number;
  readonly event: string;
  readonly atMs: number;
  readonly takedownNumber: number;
  readonly beforeRow?: number | undefined;
  readonly afterRow?: number | undefined;
}

const packing: Packing<Row> = {
  version: 'whole',
  ordinal: 'whole',
  event: 'text',
  atMs: 'number',
  takedownNumber: 'whole',
  beforeRow: 'whole',
  afterRow: 'whole',
};

export function createEventRows<Columns extends Identified>(rules: EventRules<Columns>): EventRows<Columns> {
  const rows = createPackedStore<Row, Row>(packing, []);
  // Filters read no other columns: a test compares what they find here and in the feed.
  const columns: RecordStore<Columns> = createPackedStore<Columns, Columns>(rules.packing as Packing<Columns>, []);
  const addColumns = (record: Columns | undefined) => (record === undefined ? undefined : columns.add(record));
  const columnsAt = (row: number | undefined) => (row === undefined ? undefined : columns.at(row));
  return {
    get size() {
      return rows.size;
    },
    add({ before, after, at, ...event }) {
      rows.add({ ...event, atMs: at.getTime(), beforeRow: addColumns(before), afterRow: addColumns(after) });
    },
    // What stands there is what `add` was given.
    at: (position) => rows.at(position) as Row & HeldEvent,
    before: (position) => columnsAt(rows.at(position).beforeRow),
    after: (position) => columnsAt(rows.at(position).afterRow),
    idHash: (position) => rows.idHash(position),
    countTo(place) {
      let [low, high] = [0, rows.size];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (comparePlaces(rows.at(middle), place) <= 0) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    mark() {
      const undo = [rows.mark(), columns.mark()];
      return () => undo.forEach((each) => each());
    },
  };
}
