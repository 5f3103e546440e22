import { createBitmap, cutFrom, intersect, subtract, type Bitmap } from './bitmap.js';

/**
 * The positions that have passed the filters of one question so far. One for all questions, which are answered one
 * after the other: memory for each of them would keep the collector busy.
 */
export interface Candidates {
  /** Begins a query: every position may match. */
  begin(): void;
  /** Keeps those that are in a set. */
  keep(set: Bitmap): void;
  /** Keeps those that `addTo` puts into an empty set. */
  keepAdded(addTo: (set: Bitmap) => void): void;
  /** Leaves out those that are in a set. */
  drop(set: Bitmap): void;
  /** Leaves out those from `end` on. */
  cut(end: number): void;
  /** Those that are left; good until the next query. */
  finish(): Bitmap;
}

export function createCandidates(size: number): Candidates {
  const left = createBitmap(size);
  const added = createBitmap(size);
  /** While all positions match, `left` is not filled: that takes the longer, the larger the feed is. */
  let isAll = true;
  let end = size;

  return {
    begin() {
      isAll = true;
      end = size;
    },
    keep(set) {
      if (isAll) left.set(set);
      else intersect(left, set);
      isAll = false;
    },
    keepAdded(addTo) {
      // The first filter has no earlier matches to narrow.
      addTo((isAll ? left : added).fill(0));
      if (!isAll) intersect(left, added);
      isAll = false;
    },
    drop(set) {
      if (isAll) left.fill(0xffffffff);
      subtract(left, set);
      isAll = false;
    },
    cut: (at) => void (end = Math.min(end, at)),
    finish() {
      if (isAll) left.fill(0xffffffff);
      isAll = false;
      cutFrom(left, end);
      return left;
    },
  };
}
