import { addPosition, type Bitmap, countPositions, unite } from './query/bitmap.js';
import type { RecordList } from './query/feed-kind.js';
import { hashId } from './query/id-table.js';
import { createPositionLists } from './query/position-lists.js';
import type { Origin, Takedowns } from './takedowns.js';

/** Finds the taken-down records of one version. */
export interface OriginIndex {
  /** Their positions; undefined if there are none. `takedownNumber`: see `Takedowns`. */
  takenDown(takedowns: Takedowns, takedownNumber: number): Bitmap | undefined;
}

/** Indexes records by their origins. Awaits `yieldTurn` between slices of work. */
export async function createOriginIndex(
  records: RecordList<Origin>,
  yieldTurn: () => Promise<void>,
): Promise<OriginIndex> {
  const at = (position: number): Origin => records.at(position) as Origin;
  const sources = await createPositionLists(records.length, (position) => at(position).sources, yieldTurn);
  const matched = await createPositionLists(records.length, (position) => at(position).matched ?? '', yieldTurn);

  /** Compares hashes first: reading an id costs more. */
  function addThemselves(positions: Bitmap, ids: ReadonlySet<string>): void {
    const hashes = new Set([...ids].map(hashId));
    for (let position = 0; position < records.length; position++)
      if (hashes.has(records.idHash(position)) && ids.has(at(position).id)) addPosition(positions, position);
  }

  return {
    takenDown(takedowns, takedownNumber) {
      const positions = sources.bitmapWhere((names) => !takedowns.mayShowSources(names, takedownNumber));
      const ids = takedowns.suppressedAfter(takedownNumber);
      if (ids.size > 0) {
        unite(
          positions,
          matched.bitmapWhere((text) => text !== '' && text.split(' ').some((id) => ids.has(id))),
        );
        addThemselves(positions, ids);
      }
      return countPositions(positions) === 0 ? undefined : positions;
    },
  };
}
