import type { Identified } from '../query/identified.js';

/**
 * Records by row, in the order in which they were added. A row never changes: versions of a feed share one store, each
 * with rows of its own.
 */
export interface RecordStore<Item extends Identified> {
  readonly size: number;
  /** Adds a record, or an id alone, to know it by. Returns its row. */
  add(record: Item | Identified): number;
  /** Returns the function that removes all records added from now on; their rows must not be read afterwards. */
  mark(): () => void;
  at(row: number): Item;
  /** The feed's order. */
  compare(one: number, other: number): number;
  /** As `hashId` makes it. */
  idHash(row: number): number;
  hasSameId(one: number, other: number): boolean;
}
