import type { Identified } from './identified.js';

/** A column by which a feed stands in order. */
export interface OrderColumn<Rank extends Identified> {
  readonly by: Exclude<keyof Rank, 'id'> & string;
  /** The largest first; default: the smallest. */
  readonly descending?: boolean;
}

/** A feed's total order: the first of these columns that differs decides; where none does, the id, ascending. */
export type FeedOrder<Rank extends Identified> = readonly OrderColumn<Rank>[];

/** Compares two positions in an order. */
export function compareRanks<Rank extends Identified>(order: FeedOrder<Rank>): (one: Rank, other: Rank) => number {
  return (one, other) => {
    for (const { by, descending = false } of order)
      if (one[by] !== other[by]) return one[by] < other[by] === descending ? 1 : -1;
    return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
  };
}

/** What places a record in an order. */
export function rankOf<Rank extends Identified>(order: FeedOrder<Rank>, record: Rank): Rank {
  const rank: Record<string, unknown> = { id: record.id };
  for (const { by } of order) rank[by] = record[by];
  // A rank is an id and the columns of its order.
  return rank as unknown as Rank;
}

/** Records in an order, by their positions. */
type Placed<T> = { readonly length: number; at(position: number): T | undefined };

/**
 * How many records from the start on pass a test that, once failed, fails for all that follow. Those before `from` are
 * taken to pass.
 */
export function countWhile<T>(records: Placed<T>, test: (record: T) => boolean, from = 0): number {
  let [low, high] = [from, records.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const record = records.at(middle);
    if (record !== undefined && test(record)) low = middle + 1;
    else high = middle;
  }
  return low;
}
