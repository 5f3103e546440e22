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
  let pending: Dossier[] = [];
  const flush = async (): Promise<void> => {
    if (pending.length > 0) await store.write(current + 1, pending);
    pending = [];
  };
  for await (const chunk of deals) {
    for (const deal of chunk) {
      ids.push(deal.id);
      pending.push(makeDossier(deal));
    }
    if (pending.length >= dossiersPerStatement) await flush();
    yield chunk;
  }
  await flush();
  await store.retireOthers(current + 1, ids);
}
