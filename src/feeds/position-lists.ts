import { addPosition, createBitmap, unite, type Bitmap } from './bitmap.js';
import { recordsPerTurn } from './records-per-turn.js';

/** Positions by a key of the record. */
export interface PositionLists {
  readonly keys: ReadonlySet<string>;
  /** The positions of a key, as a set; empty for an unknown key. */
  bitmapOf(key: string): Bitmap;
  /** The positions of all keys that pass, as a set. */
  bitmapWhere(test: (key: string) => boolean): Bitmap;
}

/** Groups `size` records by key, a slice at a time. Each key is asked for once, and no list is longer than it must be. */
export async function createPositionLists(
  size: number,
  keyAt: (position: number) => string,
  yieldTurn: () => Promise<void>,
): Promise<PositionLists> {
  const numbers = new Map<string, number>();
  const numberAt = new Uint32Array(size);
  const counts: number[] = [];
  for (let position = 0; position < size; position++) {
    const key = keyAt(position);
    const number = numbers.get(key) ?? numbers.size;
    if (number === numbers.size) numbers.set(key, number);
    numberAt[position] = number;
    counts[number] = (counts[number] ?? 0) + 1;
    if (position % recordsPerTurn === recordsPerTurn - 1) await yieldTurn();
  }
  const lists = counts.map((count) => createPackedList(size, count));
  for (let position = 0; position < size; position++) {
    lists[numberAt[position] ?? 0]?.add(position);
    if (position % recordsPerTurn === recordsPerTurn - 1) await yieldTurn();
  }
  return {
    keys: new Set(numbers.keys()),
    bitmapOf(key) {
      const bitmap = createBitmap(size);
      lists[numbers.get(key) ?? -1]?.addTo(bitmap);
      return bitmap;
    },
    bitmapWhere(test) {
      const bitmap = createBitmap(size);
      for (const [key, number] of numbers) if (test(key)) lists[number]?.addTo(bitmap);
      return bitmap;
    },
  };
}

interface PackedList {
  add(position: number): void;
  addTo(bitmap: Bitmap): void;
}

/** A list for so many positions, or a set where that is smaller. */
function createPackedList(size: number, count: number): PackedList {
  if (count * 32 >= size) {
    const own = createBitmap(size);
    return { add: (position) => addPosition(own, position), addTo: (bitmap) => unite(bitmap, own) };
  }
  const positions = new Uint32Array(count);
  let added = 0;
  return {
    add: (position) => void (positions[added++] = position),
    addTo: (bitmap) => positions.forEach((position) => addPosition(bitmap, position)),
  };
}
