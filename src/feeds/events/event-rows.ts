import type { Packing } from '../query/packing.js';
import type { Identified } from '../query/identified.js';
import type { RecordTest } from '../query/feed-kind.js';
import { createPackedStore } from '../store/packed-store.js';
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
  /** Of the positions from one on up to another: 1 where the record passes before or after, else 0. */
  passing(from: number, end: number, tests: readonly RecordTest[]): Uint8Array;
  /** Hash of the id; see `hashId`. */
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
}

const packing: Packing<Row> = {
  version: 'whole',
  ordinal: 'whole',
  event: 'text',
  atMs: 'number',
  takedownNumber: 'whole',
};

/** Stands for no row. */
const none = -1;

export function createEventRows<Columns extends Identified>(rules: EventRules<Columns>): EventRows<Columns> {
  const rows = createPackedStore<Row, Row>(packing, []);
  // Filters read no other columns: a test compares what they find here and in the feed.
  const columns = createPackedStore<Columns, Columns>(rules.packing as Packing<Columns>, []);
  // Both sides of each event, by row of its columns; a question looks at all of them.
  let sides = new Int32Array(2 * 1_024);
  const addColumns = (record: Columns | undefined) => (record === undefined ? none : columns.add(record));
  function columnsAt(place: number): Columns | undefined {
    const row = sides[place] ?? none;
    return row === none ? undefined : columns.at(row);
  }
  /** The first, or the last, row of an event. */
  function rowOf(position: number, side: 0 | 1): number {
    const row = sides[2 * position + side] ?? none;
    return row === none ? (sides[2 * position + 1 - side] ?? 0) : row;
  }
  return {
    get size() {
      return rows.size;
    },
    add({ before, after, at, ...event }) {
      const position = rows.add({ ...event, atMs: at.getTime() });
      if (2 * position >= sides.length) {
        const longer = new Int32Array(2 * Math.ceil(sides.length * 0.625));
        longer.set(sides);
        sides = longer;
      }
      sides.set([addColumns(before), addColumns(after)], 2 * position);
    },
    // What stands there is what `add` was given.
    at: (position) => rows.at(position) as Row & HeldEvent,
    before: (position) => columnsAt(2 * position),
    after: (position) => columnsAt(2 * position + 1),
    passing(from, end, tests) {
      const passing = new Uint8Array(Math.max(0, end - from));
      if (tests.length === 0) return passing.fill(1);
      // Rows lie in the order of the events, and each event has one at least.
      const [first, last] = [rowOf(from, 0), rowOf(end - 1, 1)];
      const kept = new Uint8Array(end > from ? last + 1 - first : 0).fill(1);
      for (const test of tests) if (test.column !== undefined) columns.keepWhere(kept, first, test.column, test);
      for (const { column, passes } of tests)
        if (column === undefined)
          for (let index = 0; index < kept.length; index++)
            if (kept[index] === 1 && !passes(columns.at(first + index))) kept[index] = 0;
      // What is read outside of a list, or out of a pair that is made for it, takes twice as long.
      const passes = (row: number): boolean => row !== none && kept[row - first] === 1;
      for (let index = 0; index < passing.length; index++) {
        const place = 2 * (from + index);
        if (passes(sides[place] ?? none) || passes(sides[place + 1] ?? none)) passing[index] = 1;
      }
      return passing;
    },
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
