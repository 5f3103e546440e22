import type { Bitmap } from './bitmap.js';

/** An order that buyers may ask for. Records without a number come last in both directions. */
export interface SortRule<Columns> {
  /** The largest first, where no direction is asked for; default: the smallest. */
  readonly descending?: boolean;
  /** The name of the index of the numbers, which is shared; undefined where the feed itself stands in this order. */
  readonly column?: string;
  numberOf(record: Columns): number | undefined;
}

/** The orders of a feed, by the names that the contract gives them; the first is the feed's own. */
export type SortRules<Columns> = Readonly<Record<string, SortRule<Columns>>>;

/** An order that was asked for, other than the feed's own. */
export interface Sort {
  readonly by: string;
  readonly descending: boolean;
}

/** What is behind a record in an order: greater numbers, or equal ones at positions from `from` on. */
export interface Behind {
  readonly number: number | undefined;
  readonly from: number;
}

/** The records of one version by one number; equal ones stand in the feed's own order. */
export interface SortedPositions {
  /** The first positions of a set in this order, at most `limit`. Changes the set. */
  first(matching: Bitmap, limit: number, descending: boolean, behind?: Behind): number[];
}
