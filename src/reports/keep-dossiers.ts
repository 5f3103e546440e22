import { createWriteBehind } from '../db/write-behind.js';
import type { DealChange } from '../deals/compose-deals.js';
import type { Deal } from '../deals/deal.js';
import { makeDossier, type Dossier } from './dossier.js';
import type { DossierStore } from './dossier-store.js';

const dossiersPerStatement = 100;

/**
 * Hands deals on to be published as the next version of their feed, and keeps the dossier of each under that version. All
 * is written when the last deal was taken, so before the feed can move. Safe to run again after a crash at any point.
 *
 * @param current the version that the feed has now
 */
export async function* keepDossiers(
  deals: AsyncIterable<readonly Deal[]>,
  store: DossierStore,
  current: number,
): AsyncGenerator<readonly Deal[]> {
  await store.discardAbove(current);
  await store.discardSuperseded(current);
  const ids: string[] = [];
  const writer = createWriter(store, current + 1);
  try {
    for await (const chunk of deals) {
      ids.push(...chunk.map(({ id }) => id));
      await writer.add(chunk);
      yield chunk;
    }
    await writer.flush();
    await store.retireOthers(current + 1, ids);
  } finally {
    await writer.settle();
  }
}

/** Does the same with deals that may have changed, and leaves the dossiers of all others as they are. */
export async function* keepChangedDossiers(
  changes: AsyncIterable<readonly DealChange[]>,
  store: DossierStore,
  current: number,
): AsyncGenerator<readonly DealChange[]> {
  await store.discardAbove(current);
  await store.discardSuperseded(current, current);
  const writer = createWriter(store, current + 1);
  try {
    for await (const chunk of changes) {
      await writer.add(chunk.flatMap(({ deal }) => deal ?? []));
      const gone = chunk.filter(({ deal }) => deal === undefined).map(({ id }) => id);
      if (gone.length > 0) await store.retire(current + 1, gone);
      yield chunk;
    }
    await writer.flush();
  } finally {
    await writer.settle();
  }
}

function createWriter(store: DossierStore, version: number) {
  let pending: Dossier[] = [];
  const writes = createWriteBehind();

  /** Written while the next deals are composed; a failure is thrown by the next write, or by the flush. */
  async function writePending(): Promise<void> {
    if (pending.length === 0) return;
    await writes.begin(() => store.write(version, pending));
    pending = [];
  }

  return {
    async flush(): Promise<void> {
      await writePending();
      await writes.done();
    },
    async add(deals: readonly Deal[]): Promise<void> {
      pending.push(...deals.map(makeDossier));
      if (pending.length >= dossiersPerStatement) await writePending();
    },
    settle: writes.settle,
  };
}
