import { addPosition, createBitmap, unite, type Bitmap } from './bitmap.js';
import type { Candidates } from './candidates.js';
import { inSlices } from './order-rows.js';
import { recordsPerTurn } from './records-per-turn.js';

/** Positions by a key of the record. */
export interface PositionLists {
  readonly keys: ReadonlySet<string>;
  /** The positions of all keys that pass, as a set. */
  bitmapWhere(test: (key: string) => boolean): Bitmap;
  /** Keeps the positions of some keys alone; none for an unknown one. */
  keepAmong(candidates: Candidates, keys: readonly string[]): void;
  /** Keeps the positions of all keys that pass. */
  keepWhere(candidates: Candidates, test: (key: string) => boolean): void;
}

/**
 * Groups `size` records by key, a slice at a time. Each key is asked for once, in the given order, and no list is
 * longer than it must be.
 */
export async function createPositionLists(
  size: number,
  keyAt: (position: number) => string,
  yieldTurn: () => Promise<void>,
  order?: Uint32Array,
): Promise<PositionLists> {
  const numbers = new Map<string, number>();
  const numberAt = new Uint32Array(size);
  const counts: number[] = [];
  const read = (start: number, end: number): void => {
    for (let index = start; index < end; index++) {
      const position = order === undefined ? index : (order[index] ?? 0);
      const key = keyAt(position);
      const number = numbers.get(key) ?? numbers.size;
      if (number === numbers.size) numbers.set(key, number);
      numberAt[position] = number;
      counts[number] = (counts[number] ?? 0) + 1;
    }
  };
  await inSlices(size, read, yieldTurn, recordsPerTurn);
  const lists = counts.map((count) => createPackedList(size, count));
  const add = (start: number, end: number): void => {
    for (let position = start; position < end; position++) lists[numberAt[position] ?? 0]?.add(position);
  };
  await inSlices(size, add, yieldTurn);

  function listsWhere(test: (key: string) => boolean): PackedList[] {
    const passing: PackedList[] = [];
    for (const [key, number] of numbers) {
      const list = test(key) ? lists[number] : undefined;
      if (list !== undefined) passing.push(list);
    }
    return passing;
  }

  function keep(candidates: Candidates, chosen: readonly PackedList[]): void {
    const [first, second] = chosen;
    if (first?.own !== undefined && second === undefined) candidates.keep(first.own);
    else candidates.keepAdded((set) => addAll(set, chosen));
  }

  const listsOf = (keys: readonly string[]): PackedList[] => keys.flatMap((key) => lists[numbers.get(key) ?? -1] ?? []);

  return {
    keys: new Set(numbers.keys()),
    bitmapWhere: (test) => addAll(createBitmap(size), listsWhere(test)),
    keepAmong: (candidates, keys) => keep(candidates, listsOf(keys)),
    keepWhere: (candidates, test) => keep(candidates, listsWhere(test)),
  };
}

interface PackedList {
  /** Where it is kept as a set. */
  readonly own?: Bitmap;
  add(position: number): void;
  addTo(bitmap: Bitmap): void;
}

function addAll(bitmap: Bitmap, lists: readonly PackedList[]): Bitmap {
  for (const list of lists) list.addTo(bitmap);
  return bitmap;
}

/** A list for so many positions, or a set where that is smaller. */
function createPackedList(size: number, count: number): PackedList {
  if (count * 32 >= size) {
    const own = createBitmap(size);
    return { own, add: (position) => addPosition(own, position), addTo: (bitmap) => unite(bitmap, own) };
  }
  const positions = new Uint32Array(count);
  let added = 0;
  return {
    add: (position) => void (positions[added++] = position),
    addTo(bitmap) {
      for (let index = 0; index < count; index++) addPosition(bitmap, positions[index] ?? 0);
    },
  };
}
