import { dealKind, type DealColumns, type DealRank } from '../../src/feeds/query/deal-kind.js';
import { createEmptyRecords } from '../../src/feeds/store/in-memory-records.js';
import { createSnapshot } from '../../src/feeds/query/snapshot.js';

/** A deal of the test's making. */
export function makeDeal(columns: Partial<DealColumns> & { readonly id: string }): DealColumns {
  return {
    state: 'OH',
    city: 'Columbus',
    priceCents: 1,
    capHundredths: 850,
    units: 4,
    dealScore: 50,
    confidenceHundredths: 50,
    rentalStatus: 'Hot',
    wholesaleStatus: 'Pass',
    creativeStatus: 'Pass',
    reliability: 'ok',
    dscrComputed: true,
    daysOnFeed: 0,
    firstSeenMs: 0,
    lastVerified: new Date(0),
    sources: '',
    ...columns,
  };
}

/** A version of the deals feed. */
export async function snapshotOf(deals: readonly DealColumns[], version = 1) {
  const turn = (): Promise<void> => Promise.resolve();
  const change = createEmptyRecords<DealRank, DealColumns>(dealKind).change();
  for (const deal of deals) change.put(deal);
  const records = await change.finish(turn);
  return createSnapshot(dealKind, { version, publishedAt: new Date(0), records }, turn);
}
