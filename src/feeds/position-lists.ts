import { addPosition, createBitmap, type Bitmap } from './bitmap.js';
import { recordsPerTurn } from './feed-kind.js';

/** Positions ascending, by a key of the record. Pure; for a million records call it in a worker's time. */
export interface PositionLists {
  readonly keys: ReadonlySet<string>;
  /** The positions of a key, as a set; empty for an unknown key. */
  bitmapOf(key: string): Bitmap;
  /** The positions of all keys that pass, as a set. */
  bitmapWhere(test: (key: string) => boolean): Bitmap;
}

/** Groups `size` records by key, a slice at a time. */
export async function createPositionLists(
  size: number,
  keyAt: (position: number) => string,
  yieldTurn: () => Promise<void>,
): Promise<PositionLists> {
  const lists = new Map<string, number[]>();
  for (let position = 0; position < size; position++) {
    const key = keyAt(position);
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [position]);
    else list.push(position);
    if (position % recordsPerTurn === recordsPerTurn - 1) await yieldTurn();
  }
  const packed = new Map([...lists].map(([key, list]) => [key, Uint32Array.from(list)]));
  const addAll = (bitmap: Bitmap, key: string): void => {
    for (const position of packed.get(key) ?? []) addPosition(bitmap, position);
  };
  return {
    keys: new Set(packed.keys()),
    bitmapOf(key) {
      const bitmap = createBitmap(size);
      addAll(bitmap, key);
      return bitmap;
    },
    bitmapWhere(test) {
      const bitmap = createBitmap(size);
      for (const key of packed.keys()) if (test(key)) addAll(bitmap, key);
      return bitmap;
    },
  };
}
