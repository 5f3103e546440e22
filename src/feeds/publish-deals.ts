import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../log.js';
import { contentHash, type DealFeedStore } from './deal-feed-store.js';
import type { PublishedDeal } from './published-deal.js';

export interface PublishReport {
  readonly version: number;
  readonly active: number;
  readonly changed: number;
  readonly retired: number;
  /** Records that broke the contract and were left out. */
  readonly refused: number;
}

/** Records rendered and written between two turns of the event loop. */
const chunkSize = 10;
/** A fault of the rules hits every record: the first few tell as much as all. */
const loggedRefusals = 5;

/**
 * Publishes deals under the next feed version: renders and proves each record, writes those that changed, retires those
 * that are gone, then moves the version in one statement. Nothing is visible before that; when nothing changed, the
 * version stays. Safe to run again after a crash at any point.
 */
export async function publishDeals<Deal extends { readonly id: string }>(
  deals: AsyncIterable<readonly Deal[]>,
  render: (deal: Deal) => PublishedDeal,
  store: DealFeedStore,
  ports: { readonly now: () => Date; readonly log: Log; readonly report?: (done: number) => void },
): Promise<PublishReport> {
  const { version: current } = await store.currentVersion();
  await store.discardAbove(current);
  const gone = new Map(await store.readHashes(current));
  const counts = { active: 0, changed: 0, refused: 0 };
  let pending: PublishedDeal[] = [];
  const flush = async () => {
    if (pending.length > 0) await store.writeDeals(current + 1, pending);
    counts.changed += pending.length;
    pending = [];
  };
  for await (const chunk of deals) {
    for (const deal of chunk) {
      const published = renderOrRefuse(deal, render, counts.refused < loggedRefusals ? ports.log : undefined);
      if (published === undefined) {
        counts.refused++;
        continue;
      }
      counts.active++;
      const known = gone.get(deal.id);
      gone.delete(deal.id);
      if (known !== contentHash(published).toString('base64')) pending.push(published);
      if (pending.length >= chunkSize) await flush();
    }
    ports.report?.(counts.active);
    await nextTurn();
  }
  await flush();
  const retired = [...gone.keys()];
  for (let start = 0; start < retired.length; start += 200)
    await store.retireDeals(current + 1, retired.slice(start, start + 200));
  if (counts.changed + retired.length === 0) return { ...counts, version: current, retired: 0 };
  if (!(await store.commitVersion(current, ports.now())))
    throw new Error('Another publisher moved the feed meanwhile; nothing was published.');
  await store.discardSuperseded(current + 1);
  return { ...counts, version: current + 1, retired: retired.length };
}

function renderOrRefuse<Deal extends { readonly id: string }>(
  deal: Deal,
  render: (deal: Deal) => PublishedDeal,
  log: Log | undefined,
): PublishedDeal | undefined {
  try {
    return render(deal);
  } catch (error) {
    log?.error({ err: error, id: deal.id }, 'a deal breaks the contract and is not published');
    return undefined;
  }
}
