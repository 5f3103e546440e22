import type { Bitmap } from './bitmap.js';
import type { Circle } from './map-point.js';

/** An order that buyers may ask for. Records without a number come last in both directions. */
export interface SortRule<Columns, Filter = never> {
  /** The largest first, where no direction is asked for; default: the smallest. */
  readonly descending?: boolean;
  /** The name of the index of the numbers, which is shared; undefined where the feed itself stands in this order. */
  readonly column?: string;
  /** Where the number is how far a record's point is from the center of a circle: that of the filter. */
  circleOf?(filter: Filter): Circle | undefined;
  numberOf(record: Columns, filter?: Filter): number | undefined;
}

/** The orders of a feed, by the names that the contract gives them; the first is the feed's own. */
export type SortRules<Columns, Filter = never> = Readonly<Record<string, SortRule<Columns, Filter>>>;

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
export interface SortedPositions<Filter = never> {
  /** The first of the positions that match a filter in this order, at most `limit`. Changes the set. */
  first(matching: Bitmap, limit: number, filter: Filter, descending: boolean, behind?: Behind): number[];
}
