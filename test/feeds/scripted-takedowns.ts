import type { SourceRights, SuppressedRecord } from '../../src/feeds/store/takedown-store.js';
import { createTakedowns } from '../../src/feeds/takedowns.js';

/** A source whose records may be shown, unless the test says otherwise. */
export function inForce(name: string, rights: Partial<SourceRights> = {}): SourceRights {
  return { name, granted: true, endsAtMs: null, narrowedBy: 0, ...rights };
}

/** A set of takedowns as a test writes it: nothing at first, and no sources. */
export function scriptTakedowns(now: () => Date = () => new Date(0)) {
  let number = 0;
  let sources: readonly SourceRights[] = [];
  const suppressed: SuppressedRecord[] = [];
  const takedowns = createTakedowns(
    async (after) => ({ number, sources, suppressed: suppressed.filter((each) => each.number > after) }),
    now,
  );
  return {
    takedowns,
    /** Suppresses records by one takedown. */
    async suppress(...ids: readonly string[]): Promise<void> {
      number += 1;
      suppressed.push(...ids.map((id) => ({ feed: 'deals', id, number })));
      await takedowns.refresh();
    },
    async license(...all: readonly SourceRights[]): Promise<void> {
      sources = all;
      await takedowns.refresh();
    },
  };
}
