import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Prover } from '../contract/prover.js';
import type { Log } from '../log.js';
import type { DealFeed } from './deal-feed.js';
import type { DealFeedStore } from './deal-feed-store.js';
import { createDealSnapshot } from './deal-snapshot.js';
import type { PublishedDeal } from './published-deal.js';

export interface DealProvers<Full, Basic> {
  readonly full: Prover<Full>;
  readonly basic: Prover<Basic>;
}

/** Records proven between two turns of the event loop. */
const sliceSize = 10;

/**
 * Brings the feed in memory to the published version: loads what changed since, proves each record again (another
 * process may have written it) in slices that leave the event loop free, and swaps the snapshot. A record that breaks
 * the contract is left out and logged; it never stops the others.
 *
 * @returns true when a newer version was loaded.
 */
export async function refreshDealFeed<Full, Basic>(
  feed: DealFeed<Full, Basic>,
  store: DealFeedStore,
  provers: DealProvers<Full, Basic>,
  log: Log,
): Promise<boolean> {
  const { version, publishedAt } = await store.currentVersion();
  const held = feed.current();
  if (version <= held.version) return false;
  const deals = new Map(held.deals.map((deal) => [deal.id, deal]));
  for await (const chunk of store.readChanges(held.version, version)) {
    for (let start = 0; start < chunk.length; start += sliceSize) {
      for (const stored of chunk.slice(start, start + sliceSize)) {
        if (stored.retired) deals.delete(stored.id);
        else
          setProven(
            deals,
            stored.columns.id,
            () => ({
              ...stored.columns,
              full: provers.full.load(stored.fullJson),
              basic: provers.basic.load(stored.basicJson),
            }),
            log,
          );
      }
      await nextTurn();
    }
  }
  feed.replace(createDealSnapshot(version, publishedAt, [...deals.values()]));
  return true;
}

function setProven<Full, Basic>(
  deals: Map<string, PublishedDeal<Full, Basic>>,
  id: string,
  prove: () => PublishedDeal<Full, Basic>,
  log: Log,
): void {
  try {
    deals.set(id, prove());
  } catch (error) {
    deals.delete(id);
    log.error({ err: error, id }, 'a published record breaks the contract and is left out');
  }
}
