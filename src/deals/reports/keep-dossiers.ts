import { createWriteBehind } from '../../db/sql/write-behind.js';
import type { WrittenDossier } from './dossier.js';
import type { DossierDraft, DossierStore } from './dossier-store.js';

/** A deal on its way to be published. */
export interface DealWithDossier {
  readonly id: string;
  readonly dossier: WrittenDossier;
}

const dossiersPerStatement = 100;

/**
 * Hands deals on to be published as the next version of their feed, and keeps the dossier of each under that version.
 * All is written when the last deal was taken, so before the feed can move. Safe to run again after a crash at any
 * point.
 */
export async function* keepDossiers<Deal extends DealWithDossier>(
  deals: AsyncIterable<readonly Deal[]>,
  store: DossierStore,
  draft: DossierDraft,
): AsyncGenerator<readonly Deal[]> {
  await store.begin(draft);
  const ids: string[] = [];
  const writer = createWriter(store, draft);
  try {
    for await (const chunk of deals) {
      ids.push(...chunk.map(({ id }) => id));
      await writer.add(chunk);
      yield chunk;
    }
    await writer.flush();
    await store.retireOthers(draft, ids);
  } finally {
    await writer.settle();
  }
}

/** What became of a listing: its deal, or undefined where there is none to be offered. */
interface PossibleDeal {
  readonly id: string;
  readonly item: DealWithDossier | undefined;
}

/** Does the same with deals that may have changed, and leaves the dossiers of all others as they are. */
export async function* keepChangedDossiers<Change extends PossibleDeal>(
  changes: AsyncIterable<readonly Change[]>,
  store: DossierStore,
  draft: DossierDraft,
): AsyncGenerator<readonly Change[]> {
  await store.begin(draft);
  const writer = createWriter(store, draft);
  try {
    for await (const chunk of changes) {
      await writer.add(chunk.flatMap(({ item }) => item ?? []));
      const gone = chunk.filter(({ item }) => item === undefined).map(({ id }) => id);
      if (gone.length > 0) await store.retire(draft, gone);
      yield chunk;
    }
    await writer.flush();
  } finally {
    await writer.settle();
  }
}

function createWriter(store: DossierStore, draft: DossierDraft) {
  let pending: WrittenDossier[] = [];
  const writes = createWriteBehind();

  /** Written while the next deals are composed; a failure is thrown by the next write, or by the flush. */
  async function writePending(): Promise<void> {
    if (pending.length === 0) return;
    await writes.begin(() => store.write(draft, pending));
    pending = [];
  }

  return {
    async flush(): Promise<void> {
      await writePending();
      await writes.done();
    },
    async add(deals: readonly DealWithDossier[]): Promise<void> {
      pending.push(...deals.map(({ dossier }) => dossier));
      if (pending.length >= dossiersPerStatement) await writePending();
    },
    settle: writes.settle,
  };
}
