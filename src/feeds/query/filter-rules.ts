import { bitmapWhere, type Bitmap } from './bitmap.js';
import { createCandidates, type Candidates } from './candidates.js';
import type { Bounds, RecordList, RecordTest } from './feed-kind.js';
import { countWhile } from './feed-order.js';
import { createMapIndex, type MapIndex } from './map-index.js';
import { createMeasure, latitudeOf, longitudeOf, toPoint, type Circle } from './map-point.js';
import { createPositionLists, type PositionLists } from './position-lists.js';
import { createRangeIndex, type RangeIndex } from './range-index.js';

/** The rule of each filter of a feed. A filter without a rule does not compile. */
export type FilterRules<Columns, Filter> = {
  readonly [Name in keyof Filter]-?: FilterRule<Columns, NonNullable<Filter[Name]>>;
};

/** How a filter chooses records: by the index of a version, or record by record. Both choose the same. */
export interface FilterRule<Columns, Value> {
  /** Prepares the index; the filter then keeps the records that match its value. */
  readonly prepare: (indexes: ColumnIndexes<Columns>) => Promise<Keep<Value>>;
  /** Where one column decides. */
  readonly column?: string;
  /** Whether a column's content, else a record, matches the value. The value's part is computed once. */
  readonly testOf: (value: Value) => (read: never) => boolean;
  /** What is sure of a number without the test: to call it for each of many numbers takes most of the time. */
  readonly boundsOf?: (value: Value) => Bounds;
}

export type Keep<Value> = (candidates: Candidates, value: Value) => void;

/** The indexes of the columns of one version. Rules that read the same column share its index. */
export interface ColumnIndexes<Columns> {
  readonly records: RecordList<Columns>;
  at(position: number): Columns;
  /** Positions by a text of the record; `name` is the column's, or that of the derived text. */
  lists(name: string, textOf: (record: Columns) => string): Promise<PositionLists>;
  range(column: string, numberOf: (record: Columns) => number | undefined): Promise<RangeIndex>;
  map(column: string, pointOf: (record: Columns) => number | undefined): Promise<MapIndex>;
}

type Having<Column extends string, Value> = { readonly [Name in Column]?: Value | undefined };
type Fold = (text: string) => string;

/** The column has this value, both folded. */
export function equal<Column extends string>(
  column: Column,
  fold: Fold = (text) => text,
): FilterRule<Having<Column, string | boolean>, string | boolean> {
  const textOf = (cell: string | boolean | undefined): string => fold(String(cell ?? ''));
  return {
    async prepare({ lists }) {
      const byText = await lists(column, (record) => textOf(record[column]));
      return (candidates, value) => byText.keepAmong(candidates, [fold(String(value))]);
    },
    column,
    testOf(value) {
      const asked = textOf(value);
      return (cell: string | boolean | undefined) => textOf(cell) === asked;
    },
  };
}

/** The column has one of these values, all folded. A record without a value does not match. */
export function oneOf<Column extends string>(
  column: Column,
  fold: Fold = (text) => text,
): FilterRule<Having<Column, string>, readonly string[]> {
  return {
    async prepare({ lists }) {
      const byText = await lists(column, (record) => fold(record[column] ?? ''));
      return (candidates, values) => byText.keepAmong(candidates, values.map(fold));
    },
    column,
    testOf(values) {
      const asked = new Set(values.map(fold));
      return (cell: string | undefined) => asked.has(fold(cell ?? ''));
    },
  };
}

/** A property of the record that is not a column holds; nothing is asked with false. */
export function holds<Columns>(name: string, test: (record: Columns) => boolean): FilterRule<Columns, true> {
  return {
    async prepare({ lists }) {
      const byText = await lists(name, (record) => String(test(record)));
      return (candidates) => byText.keepAmong(candidates, ['true']);
    },
    testOf: () => test,
  };
}

/** The text of the column passes the test of the value; '' is the text of a record without one. */
export function passing<Column extends string, Value>(
  column: Column,
  passes: (value: Value) => (text: string) => boolean,
): FilterRule<Having<Column, string>, Value> {
  return {
    async prepare({ lists }) {
      const byText = await lists(column, (record) => record[column] ?? '');
      return (candidates, value) => byText.keepWhere(candidates, passes(value));
    },
    column,
    testOf(value) {
      const test = passes(value);
      return (cell: string | undefined) => test(cell ?? '');
    },
  };
}

/** Dates on and after, on and before a date, as YYYY-MM-DD; no date is neither. */
export const isFrom = (first: string) => (date: string) => date >= first;
export const isUntil = (last: string) => (date: string) => date !== '' && date <= last;

/** The column has a number that is not below the value. */
export const atLeast = <Column extends string>(column: Column) => between(column, (value) => [value, Infinity]);

/** The column has a number that is not above the value. */
export const atMost = <Column extends string>(column: Column) => between(column, (value) => [-Infinity, value]);

function between<Column extends string>(
  column: Column,
  boundsOf: (value: number) => readonly [least: number, most: number],
): FilterRule<Having<Column, number>, number> {
  return {
    async prepare({ range }) {
      const numbers = await range(column, (record) => record[column]);
      return (candidates, value) => numbers.keepBetween(candidates, ...boundsOf(value));
    },
    column,
    testOf(value) {
      const [least, most] = boundsOf(value);
      return (cell: number | undefined) => (cell ?? NaN) >= least && (cell ?? NaN) <= most;
    },
    boundsOf(value) {
      const [least, most] = boundsOf(value);
      return { least, most, decide: true };
    },
  };
}

/** The column has a point (see `map-point.ts`) in the circle. */
export function inCircle<Column extends string>(column: Column): FilterRule<Having<Column, number>, Circle> {
  return {
    async prepare({ map }) {
      const points = await map(column, (record) => record[column]);
      return (candidates, circle) => points.keepWithin(candidates, circle);
    },
    column,
    testOf(circle) {
      const milesOf = createMeasure(circle);
      return (point: number | undefined) =>
        point !== undefined && milesOf(latitudeOf(point), longitudeOf(point)) <= circle.radiusMiles;
    },
    boundsOf({ latitude, radiusMiles }) {
      // A degree of latitude has a little more: most are outside without being measured.
      const degrees = radiusMiles / 69;
      return { least: toPoint(latitude - degrees, -180), most: toPoint(latitude + degrees, 180), decide: false };
    },
  };
}

/** The column by which the feed is ordered is not below the value: once a record's is, so are all that follow. */
export function leading<Column extends string>(column: Column): FilterRule<Readonly<Record<Column, number>>, number> {
  return {
    prepare: ({ records }) =>
      Promise.resolve((candidates, value) => candidates.cut(countWhile(records, (record) => record[column] >= value))),
    column,
    testOf: (value) => (cell: number) => cell >= value,
    boundsOf: (value) => ({ least: value, most: Infinity, decide: true }),
  };
}

/** For feeds of few records: each is looked at. */
export function scanned<Columns, Value>(test: (record: Columns, value: Value) => boolean): FilterRule<Columns, Value> {
  return {
    prepare: ({ records, at }) =>
      Promise.resolve((candidates, value) =>
        candidates.keep(bitmapWhere(records.length, (position) => test(at(position), value))),
      ),
    testOf: (value) => (record: Columns) => test(record, value),
  };
}

export function createColumnIndexes<Columns>(
  records: RecordList<Columns>,
  yieldTurn: () => Promise<void>,
): ColumnIndexes<Columns> {
  const { length: size } = records;
  const at = (position: number): Columns => records.at(position) as Columns;
  const [listsOf, rangeOf] = [new Map<string, PositionLists>(), new Map<string, RangeIndex>()];
  const mapOf = new Map<string, MapIndex>();
  let order: Promise<Uint32Array> | undefined;
  const findOrder = () => (order ??= records.inStoreOrder?.(yieldTurn));
  return {
    records,
    at,
    lists: (name, textOf) =>
      madeOnce(listsOf, name, async () =>
        createPositionLists(size, (place) => textOf(at(place)), yieldTurn, await findOrder()),
      ),
    range: (column, numberOf) =>
      madeOnce(rangeOf, column, async () =>
        createRangeIndex(size, (place) => numberOf(at(place)), yieldTurn, await findOrder()),
      ),
    map: (column, pointOf) =>
      madeOnce(mapOf, column, () => createMapIndex(size, (place) => pointOf(at(place)), yieldTurn)),
  };
}

async function madeOnce<Index>(made: Map<string, Index>, name: string, make: () => Promise<Index>): Promise<Index> {
  const index = made.get(name) ?? (await make());
  made.set(name, index);
  return index;
}

/** Finds the records that match a filter: those that every rule keeps whose value is given. */
export async function createMatch<Columns, Filter extends object>(
  rules: FilterRules<Columns, Filter>,
  indexes: ColumnIndexes<Columns>,
): Promise<(filter: Filter) => Bitmap> {
  const candidates = createCandidates(indexes.records.length);
  const applied: ((filter: Filter) => void)[] = [];

  async function prepare<Name extends keyof Filter>(name: Name): Promise<void> {
    const keep = await rules[name].prepare(indexes);
    applied.push((filter) => {
      const value = filter[name];
      if (value !== undefined && value !== null) keep(candidates, value);
    });
  }

  // One after the other: each index is made in slices, and rules share them.
  for (const name in rules) await prepare(name);
  return (filter) => {
    candidates.begin();
    for (const apply of applied) apply(filter);
    return candidates.finish();
  };
}

/** What a filter asks of each record, as `createMatch` finds it among others. */
export function createTests<Columns, Filter extends object>(
  rules: FilterRules<Columns, Filter>,
  filter: Filter,
): readonly RecordTest[] {
  const tests: RecordTest[] = [];
  for (const name in rules) {
    const value = filter[name];
    if (value === undefined || value === null) continue;
    const { column, testOf, boundsOf } = rules[name];
    // What is read is what the rule was made for.
    tests.push({ column, passes: testOf(value) as RecordTest['passes'], bounds: boundsOf?.(value) });
  }
  return tests;
}
