import { addPosition, createBitmap, unite, type Bitmap } from './bitmap.js';
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
  const packed = new Map<string, PackedList>();
  for (const [key, list] of lists) {
    packed.set(key, packList(size, list));
    if (list.length > recordsPerTurn) await yieldTurn();
  }
  return {
    keys: new Set(packed.keys()),
    bitmapOf(key) {
      const bitmap = createBitmap(size);
      addList(bitmap, packed.get(key));
      return bitmap;
    },
    bitmapWhere(test) {
      const bitmap = createBitmap(size);
      for (const [key, list] of packed) if (test(key)) addList(bitmap, list);
      return bitmap;
    },
  };
}

/** A list, or the same as a set where that is smaller. */
type PackedList = { readonly positions: Uint32Array } | { readonly bitmap: Bitmap };

function packList(size: number, list: readonly number[]): PackedList {
  const positions = new Uint32Array(list);
  if (positions.length * 32 < size) return { positions };
  const bitmap = createBitmap(size);
  addList(bitmap, { positions });
  return { bitmap };
}

function addList(bitmap: Bitmap, list: PackedList | undefined): void {
  if (list === undefined) return;
  if ('bitmap' in list) unite(bitmap, list.bitmap);
  else list.positions.forEach((position) => addPosition(bitmap, position));
}
