import { recordsPerTurn, type Identified } from './feed-kind.js';

/** Finds the position of an id; undefined for an id that is not there. */
export type FindPosition = (id: string) => number | undefined;

/**
 * Indexes records by id in four bytes for every half of a slot, a slice at a time: a map of a million texts would hold
 * many times as much.
 */
export async function createPositionsById(
  records: readonly Identified[],
  yieldTurn: () => Promise<void>,
): Promise<FindPosition> {
  const size = 2 ** Math.ceil(Math.log2(records.length * 2 + 2));
  /** Positions counted from 1; 0 is a free slot. */
  const slots = new Uint32Array(size);
  for (let position = 0; position < records.length; position++) {
    let slot = slotOf(records[position]?.id ?? '', size);
    while (slots[slot] !== 0) slot = (slot + 1) % size;
    slots[slot] = position + 1;
    if (position % recordsPerTurn === recordsPerTurn - 1) await yieldTurn();
  }
  return (id) => {
    for (let slot = slotOf(id, size); slots[slot] !== 0; slot = (slot + 1) % size) {
      const position = (slots[slot] ?? 0) - 1;
      if (records[position]?.id === id) return position;
    }
    return undefined;
  };
}

/** Ids are hashes themselves: their first digits are as good as any. */
function slotOf(id: string, size: number): number {
  return Number.parseInt(id.slice(0, 8), 16) % size || 0;
}
