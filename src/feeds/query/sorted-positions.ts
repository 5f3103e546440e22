import { countPositions, firstPositions, hasPosition, subtract, type Bitmap } from './bitmap.js';
import type { RecordList } from './feed-kind.js';
import type { ColumnIndexes } from './filter-rules.js';
import type { MapIndex } from './map-index.js';
import { tenthsOf } from './map-point.js';
import type { Behind, SortedPositions, SortRule, SortRules } from './sort-rule.js';

/** Below this share of the feed, what matches is sorted; from it on, the feed is looked through in order. */
const sortedShare = 1 / 64;

/** Positions with their numbers, in the direction of the index; equal numbers by position. */
interface Row {
  readonly length: number;
  readonly descending: boolean;
  /** Of those that have a number. */
  readonly present: Bitmap | undefined;
  positionAt(place: number): number;
  numberAt(place: number): number;
}

/** Indexes the orders of one version. */
export async function createSortedPositions<Columns extends { readonly point?: number | undefined }, Filter>(
  rules: SortRules<Columns, Filter>,
  isDescending: boolean,
  indexes: ColumnIndexes<Columns>,
): Promise<ReadonlyMap<string, SortedPositions<Filter>>> {
  const sorted = new Map<string, SortedPositions<Filter>>();
  for (const [name, rule] of Object.entries(rules))
    if (rule.circleOf !== undefined)
      sorted.set(name, createNearest(rule, await indexes.map('point', ({ point }) => point)));
    else {
      const row =
        rule.column === undefined ? ownOrder(rule, isDescending, indexes.records) : await indexed(rule, indexes);
      sorted.set(name, createSorted(row, rule, indexes.records));
    }
  return sorted;
}

/** The greatest number of tenths of a mile, and one. */
const tenthsCount = 1_001;

/**
 * Orders what matches by its distance: counted by tenths of a mile, so that only those of the tenths that are shown
 * are brought in order.
 */
function createNearest<Filter>(
  { circleOf }: Pick<SortRule<never, Filter>, 'circleOf'>,
  map: MapIndex,
): SortedPositions<Filter> {
  return {
    first(matching, limit, filter, descending, behind) {
      const circle = circleOf?.(filter);
      if (circle === undefined) return [];
      const counts = new Uint32Array(tenthsCount);
      const total = countPositions(matching);
      const [positions, places] = [new Uint32Array(total), new Uint16Array(total)];
      const placeOf = (tenths: number): number => (descending ? tenthsCount - 1 - tenths : tenths);
      const start = behind === undefined ? 0 : placeOf(behind.number ?? 0);
      let count = 0;
      map.takeWithin(matching, circle, (position, miles) => {
        const place = placeOf(tenthsOf(miles));
        if (place < start || (place === start && position < (behind?.from ?? 0))) return;
        counts[place] = (counts[place] ?? 0) + 1;
        positions[count] = position;
        places[count++] = place;
      });
      let last = start;
      for (let found = counts[last] ?? 0; found < limit && last < tenthsCount; found += counts[last] ?? 0) last++;
      const shown: number[] = [];
      for (let index = 0; index < count; index++)
        if ((places[index] ?? 0) <= last) shown.push((places[index] ?? 0) * 2 ** 32 + (positions[index] ?? 0));
      return Array.from(Float64Array.from(shown).sort().subarray(0, limit), (each) => each % 2 ** 32);
    },
  };
}

function ownOrder<Columns>({ numberOf }: SortRule<Columns>, descending: boolean, records: RecordList<Columns>): Row {
  const numberAt = (position: number): number => numberOf(records.at(position) as Columns) ?? NaN;
  return { length: records.length, descending, present: undefined, positionAt: (place) => place, numberAt };
}

async function indexed<Columns>(rule: SortRule<Columns>, indexes: ColumnIndexes<Columns>): Promise<Row> {
  const { ordered, sorted, present } = await indexes.range(rule.column ?? '', rule.numberOf);
  return {
    length: ordered.length,
    descending: false,
    present,
    positionAt: (place) => ordered[place] ?? 0,
    numberAt: (place) => sorted[place] ?? 0,
  };
}

function createSorted<Columns>(
  row: Row,
  rule: SortRule<Columns>,
  records: RecordList<Columns>,
): SortedPositions<unknown> {
  const numberOf = (position: number): number | undefined => rule.numberOf(records.at(position) as Columns);

  /** The place of the first number that is not before another, in the direction of the index. */
  function placeOf(number: number, isBehind: boolean): number {
    let [low, high] = [0, row.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = row.numberAt(middle);
      if (found === number ? isBehind : found < number !== row.descending) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Positions in order, in one direction, behind a record. */
  function* walk(descending: boolean, behind: Behind | undefined): Generator<number> {
    const isForward = descending === row.descending;
    let [start, end] = [0, row.length];
    if (behind?.number !== undefined) {
      const [from, to] = [placeOf(behind.number, false), placeOf(behind.number, true)];
      for (let place = from; place < to; place++) if (row.positionAt(place) >= behind.from) yield row.positionAt(place);
      if (isForward) start = to;
      else end = from;
    }
    if (isForward) for (let place = start; place < end; place++) yield row.positionAt(place);
    else
      while (end > start) {
        let from = end - 1;
        while (from > start && row.numberAt(from - 1) === row.numberAt(from)) from--;
        for (let place = from; place < end; place++) yield row.positionAt(place);
        end = from;
      }
  }

  function sortFew(matching: Bitmap, descending: boolean, behind: Behind | undefined): number[] {
    const sign = descending ? -1 : 1;
    const numbered = firstPositions(matching, 0, Infinity).map((position) => ({
      position,
      number: numberOf(position),
    }));
    const isBehind = ({ position, number }: (typeof numbered)[number]): boolean =>
      number === undefined
        ? false
        : behind === undefined || number === behind.number
          ? position >= (behind?.from ?? 0)
          : behind.number !== undefined && sign * (number - behind.number) > 0;
    return numbered
      .filter(isBehind)
      .sort((one, other) => sign * ((one.number ?? 0) - (other.number ?? 0)) || one.position - other.position)
      .map(({ position }) => position);
  }

  return {
    first(matching, limit, _filter, descending, behind) {
      const found: number[] = [];
      if (behind === undefined || behind.number !== undefined) {
        const total = countPositions(matching);
        const isFew = total < row.length * sortedShare;
        let left = total;
        for (const position of isFew ? sortFew(matching, descending, behind) : walk(descending, behind)) {
          if (left === 0 || found.length === limit) break;
          if (!hasPosition(matching, position)) continue;
          found.push(position);
          left--;
        }
      }
      if (found.length === limit || row.present === undefined) return found;
      subtract(matching, row.present);
      const start = behind !== undefined && behind.number === undefined ? behind.from : 0;
      return [...found, ...firstPositions(matching, start, limit - found.length)];
    },
  };
}

/** A date as YYYY-MM-DD, as a number that is greater for later ones. */
export function dayOf(date: string): number {
  return Number(date.replaceAll('-', ''));
}
