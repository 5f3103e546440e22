import { addPosition, createBitmap, flipPosition, type Bitmap } from './bitmap.js';
import type { Candidates } from './candidates.js';
import { recordsPerTurn } from './records-per-turn.js';
import { inSlices, sortByNumber, type Numbered } from './order-rows.js';

/**
 * Knows which positions have a number within bounds, both inclusive. Positions without a number are never among them.
 */
export interface RangeIndex {
  /** Keeps these alone. */
  keepBetween(candidates: Candidates, min: number, max: number): void;
  /** The positions with a number, by number and position; their numbers; and the same positions as a set. */
  readonly ordered: Uint32Array;
  readonly sorted: Float64Array;
  readonly present: Bitmap;
}

/** At so many steps the set of all smaller numbers is kept ready. */
const stepCount = 32;

/**
 * Indexes a column of numbers. A query combines two sets that are kept ready and corrects them by the few positions
 * between a step and the bound, so that it costs the same for narrow and for wide bounds.
 */
export async function createRangeIndex(
  size: number,
  numberAt: (position: number) => number | undefined,
  yieldTurn: () => Promise<void>,
  order?: Uint32Array,
): Promise<RangeIndex> {
  const { rows: ordered, numbers: sorted } = await orderNumbers(size, numberAt, yieldTurn, order);
  const count = ordered.length;
  const step = Math.max(1, Math.ceil(count / stepCount));
  const running = createBitmap(size);
  const ready = [createBitmap(size)];
  for (let end = step; end - step < count; end += step) {
    const first = end - step;
    const add = (from: number, to: number): void => {
      for (let index = first + from; index < first + to; index++) addPosition(running, ordered[index] ?? 0);
    };
    await inSlices(Math.min(step, count - first), add, yieldTurn);
    ready.push(running.slice());
  }

  // One for all questions: memory for each of them would keep the collector busy.
  const place = createBitmap(size);

  /**
   * The positions of the smallest `count` numbers, until the next are asked for: a set that is kept ready, or made of
   * one.
   */
  function findSmallest(count: number): Bitmap {
    const nearest = Math.min(Math.round(count / step), ready.length - 1);
    const set = ready[nearest] ?? place;
    const from = Math.min(nearest * step, ordered.length);
    if (from === count) return set;
    place.set(set);
    for (let index = Math.min(from, count); index < Math.max(from, count); index++) {
      flipPosition(place, ordered[index] ?? 0);
    }
    return place;
  }

  return {
    ordered,
    sorted,
    present: running,
    keepBetween(candidates, min, max) {
      const low = countBelow(sorted, min);
      const high = Math.max(countBelow(sorted, max, true), low);
      // To look through a set is most of the work: none is where a bound, as most are, is that of all positions.
      if (high < size) candidates.keep(findSmallest(high));
      if (low > 0) candidates.drop(findSmallest(low));
    },
  };
}

/** By itself: the memory that it takes meanwhile would stay as long as the index. */
async function orderNumbers(
  size: number,
  numberAt: (position: number) => number | undefined,
  yieldTurn: () => Promise<void>,
  order?: Uint32Array,
): Promise<Numbered> {
  const [rows, numbers] = [new Uint32Array(size), new Float64Array(size)];
  const read = (start: number, end: number): void => {
    for (let index = start; index < end; index++) {
      const position = order === undefined ? index : (order[index] ?? 0);
      numbers[position] = numberAt(position) ?? NaN;
    }
  };
  await inSlices(size, read, yieldTurn, recordsPerTurn);
  let count = 0;
  const gather = (start: number, end: number): void => {
    for (let position = start; position < end; position++) {
      const number = numbers[position] ?? NaN;
      if (Number.isNaN(number)) continue;
      numbers[count] = number;
      rows[count++] = position;
    }
  };
  await inSlices(size, gather, yieldTurn);
  const numbered = { rows: await shorten(rows, count, yieldTurn), numbers: await shorten(numbers, count, yieldTurn) };
  await sortByNumber(numbered, yieldTurn);
  return numbered;
}

/** What is left over would stay as long as the index. To copy megabytes is a slice of its own. */
async function shorten<Numbers extends Uint32Array | Float64Array>(
  numbers: Numbers,
  count: number,
  yieldTurn: () => Promise<void>,
): Promise<Numbers> {
  if (numbers.length === count) return numbers;
  const kept = numbers.slice(0, count) as Numbers;
  await yieldTurn();
  return kept;
}

/** How many of the ascending numbers are below the bound, or at most the bound when it is inclusive. */
function countBelow(sorted: Float64Array, bound: number, inclusive = false): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] ?? 0;
    if (value < bound || (inclusive && value === bound)) low = middle + 1;
    else high = middle;
  }
  return low;
}
