import { recordsPerTurn } from './records-per-turn.js';

/**
 * Finds a place among those that were tabled: the first of that hash that is the one looked for; undefined for none.
 */
export type FindPlace = (hash: number, isIt: (place: number) => boolean) => number | undefined;

/**
 * Tables the places from 0 to `size` by the hashes of their ids in four bytes for every half of a slot, a slice at a
 * time: a map of a million texts would hold many times as much.
 */
export async function createIdTable(
  size: number,
  hashAt: (place: number) => number,
  yieldTurn: () => Promise<void>,
): Promise<FindPlace> {
  const mask = 2 ** Math.ceil(Math.log2(size * 2 + 2)) - 1;
  /** Places counted from 1; 0 is a free slot. */
  const slots = new Uint32Array(mask + 1);
  for (let place = 0; place < size; place++) {
    let slot = hashAt(place) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = place + 1;
    if (place % recordsPerTurn === recordsPerTurn - 1) await yieldTurn();
  }
  return (hash, isIt) => {
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const place = (slots[slot] ?? 0) - 1;
      if (isIt(place)) return place;
    }
    return undefined;
  };
}

/** The hash of an id: ids are hashes themselves, their first digits are as good as any. */
export function hashId(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) >>> 0;
}
