import { setImmediate as nextTurn } from 'node:timers/promises';
import { readAhead } from '../db/read-ahead.js';
import { isForgotten } from './feed.js';
import type { FeedStore } from './feed-store.js';
import type { Identified } from './identified.js';
import { beginVersion, type FeedInMemory } from './incoming-version.js';
import type { RecordViews } from './published-record.js';
import type { Stage } from './stage.js';

export interface RefreshPorts<
  Rank extends Identified,
  Columns extends Rank,
  Filter,
  Views extends RecordViews,
> extends FeedInMemory<Rank, Columns, Filter, Views> {
  readonly store: FeedStore<Columns>;
  readonly stage: Stage;
  /** Records loaded between two turns of the event loop. */
  readonly sliceSize: number;
}

/**
 * Brings a feed in memory to its published version: loads what changed since, a slice at a time so that the event loop
 * stays free, and swaps the snapshot. A load that fails leaves nothing behind, so that it may fail as often as it will.
 *
 * @returns true when a newer version was loaded.
 */
export async function refreshFeed<Rank extends Identified, Columns extends Rank, Filter, Views extends RecordViews>(
  ports: RefreshPorts<Rank, Columns, Filter, Views>,
): Promise<boolean> {
  const { feed, store, stage, sliceSize } = ports;
  const { version, publishedAt, completeAsOf } = await store.currentVersion();
  const { version: held } = feed.current();
  if (version === held && completeAsOf !== undefined) feed.confirm(completeAsOf);
  if (version <= held) return false;
  // It may be this process that has just published it.
  if (await stage.clear()) return refreshFeed(ports);
  const isAnew = isForgotten(held, version);
  const since = isAnew ? 0 : held;
  const incoming = beginVersion(ports, version, isAnew);
  let isLost = false;
  try {
    for await (const chunk of readAhead(store.readChanges(since, version))) {
      for (let start = 0; start < chunk.length; start += sliceSize) {
        for (const stored of chunk.slice(start, start + sliceSize)) incoming.take(stored);
        await nextTurn();
      }
    }
    // Others may have published meanwhile, so often that something was dropped before it was read.
    isLost = isForgotten(since === 0 ? version : since, (await store.currentVersion()).version);
    if (!isLost) await incoming.finish(publishedAt);
  } catch (error) {
    await incoming.abandon();
    throw error;
  }
  if (!isLost) return true;
  await incoming.abandon();
  return refreshFeed(ports);
}
