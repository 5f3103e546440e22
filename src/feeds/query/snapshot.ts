import {
  countPositions,
  createBitmap,
  cutFrom,
  firstPositions,
  intersect,
  lastPositions,
  subtract,
  type Bitmap,
} from './bitmap.js';
import { compareRanks, countWhile } from './feed-order.js';
import type { FeedIndex, FeedKind, RecordList } from './feed-kind.js';
import { createOriginIndex, type OriginIndex } from '../origin-index.js';
import type { Origin } from '../takedowns.js';
import type { Identified } from './identified.js';
import type { Sort } from './sort-rule.js';
import type { InMemoryRecords } from '../store/in-memory-records.js';

/** One published version of a feed, held in memory in the feed's order. Immutable. */
export interface Snapshot<Rank, Columns extends Identified, Filter> {
  readonly version: number;
  readonly publishedAt: Date;
  /** See `Cutoff`. */
  readonly takedownNumber?: number | undefined;
  readonly records: InMemoryRecords<Columns>;
  readonly index: FeedIndex<Filter>;
  readonly origins: OriginIndex;
  /**
   * Positions of the records that match and are not excluded, in order, after an optional position; with how many there
   * are in all.
   */
  select(filter: Filter, limit: number, after?: After<Rank>, excluded?: Bitmap, sort?: Sort): Selection;
  /** How much matches, without `excluded`: see `Tally`. */
  tally(filter: Filter, others: readonly Filter[], cellOf?: CellOf<Columns>, excluded?: Bitmap): Tally;
  /** Positions of the last records that are not excluded, in order. */
  selectLast(limit: number, excluded?: Bitmap): readonly number[];
}

/** The last record of a page; with its number where another order than the feed's own was asked for. */
export interface After<Rank> {
  readonly rank: Rank;
  readonly number?: number | undefined;
}

export interface Selection {
  readonly positions: readonly number[];
  readonly total: number;
  /** True when more records match after the last position. */
  readonly hasMore: boolean;
}

/**
 * How many records match a filter, how many of them each of some others, and which are the first; of one cell, those
 * whose ids' hashes are the smallest, so that they tell nothing of an order within it.
 */
export interface Tally {
  readonly total: number;
  readonly ofOthers: readonly number[];
  readonly first: readonly number[];
}

/** A value that records have in common which stand next to each other in the feed's order. */
export type CellOf<Columns> = (record: Columns) => unknown;

/** As many first records as a tally gives. */
const tallied = 3;

/** What a snapshot is made of. */
export type SnapshotParts<Columns extends Identified> = Pick<
  Snapshot<unknown, Columns, unknown>,
  'version' | 'publishedAt' | 'takedownNumber' | 'records'
>;

/**
 * Builds a snapshot over records that stand in the feed's order. A query costs the same whether much or nothing
 * matches.
 */
export async function createSnapshot<Rank extends Identified, Columns extends Rank & Origin, Filter>(
  kind: FeedKind<Rank, Columns, Filter>,
  parts: SnapshotParts<Columns>,
  yieldTurn: () => Promise<void>,
): Promise<Snapshot<Rank, Columns, Filter>> {
  const { records } = parts;
  const compare = compareRanks(kind.order);
  const index = await kind.createIndex(records, yieldTurn);
  const origins = await createOriginIndex(records, yieldTurn);
  return {
    ...parts,
    index,
    origins,
    select(filter, limit, after, excluded, sort) {
      const start = after === undefined ? 0 : countWhile(records, (record) => compare(record, after.rank) <= 0);
      const asked = Object.values(filter as object).filter((value) => value !== undefined && value !== null);
      if (excluded === undefined && sort === undefined && asked.length === 0)
        return selectAll(start, limit, records.length);
      const matching = index.match(filter);
      if (excluded !== undefined) subtract(matching, excluded);
      const total = countPositions(matching);
      const sorted = sort && index.sorts.get(sort.by);
      const positions =
        sort === undefined || sorted === undefined
          ? firstPositions(matching, start, limit + 1)
          : sorted.first(matching, limit + 1, filter, sort.descending, after && { number: after.number, from: start });
      const hasMore = positions.length > limit;
      return { positions: hasMore ? positions.slice(0, limit) : positions, total, hasMore };
    },
    tally(filter, others, cellOf, excluded) {
      // The index answers one question after the other in the same memory.
      const matching = index.match(filter).slice();
      if (excluded !== undefined) subtract(matching, excluded);
      const ofOthers = others.map((other) => {
        const both = index.match(other);
        intersect(both, matching);
        return countPositions(both);
      });
      const first = cellOf === undefined ? [] : firstOfCells(matching, records, cellOf);
      return { total: countPositions(matching), ofOthers, first };
    },
    selectLast(limit, excluded) {
      const all = createBitmap(records.length).fill(0xffffffff);
      cutFrom(all, records.length);
      if (excluded !== undefined) subtract(all, excluded);
      return lastPositions(all, limit);
    },
  };
}

/** Everything, as many ask: no set is looked through for it. */
function selectAll(start: number, limit: number, total: number): Selection {
  const positions = Array.from({ length: Math.min(limit, total - start) }, (_, index) => start + index);
  return { positions, total, hasMore: start + positions.length < total };
}

function firstOfCells<Columns>(matching: Bitmap, records: RecordList<Columns>, cellOf: CellOf<Columns>): number[] {
  const found: number[] = [];
  for (let next = firstPositions(matching, 0, 1); next.length > 0 && found.length < tallied;) {
    const [start = 0] = next;
    const cell = cellOf(records.at(start) as Columns);
    const end = countWhile(records, (record) => cellOf(record) === cell, start);
    const ofCell = matching.slice();
    cutFrom(ofCell, end);
    const least: number[] = [];
    const isBehind = (one: number, other: number): boolean => records.idHash(one) > records.idHash(other);
    for (const position of firstPositions(ofCell, start, Infinity)) {
      if (least.length === tallied && isBehind(position, least[tallied - 1] ?? 0)) continue;
      const place = least.findIndex((each) => isBehind(each, position));
      least.splice(place < 0 ? least.length : place, 0, position);
      least.length = Math.min(least.length, tallied);
    }
    found.push(...least.slice(0, tallied - found.length));
    next = firstPositions(matching, end, 1);
  }
  return found;
}
