import { setImmediate as nextTurn } from 'node:timers/promises';
import { readAhead } from '../db/sql/read-ahead.js';
import { isForgotten } from './feed.js';
import type { FeedStore, FeedVersion } from './store/feed-store.js';
import { createEmptyRecords } from './store/in-memory-records.js';
import type { Identified } from './query/identified.js';
import { beginVersion, type FeedInMemory } from './store/incoming-version.js';
import type { RecordViews } from './store/published-record.js';
import type { Preloader } from './store/preload.js';
import type { Origin } from './takedowns.js';

export interface RefreshPorts<
  Rank extends Identified,
  Columns extends Rank & Origin,
  Filter,
  Views extends RecordViews,
> extends FeedInMemory<Rank, Columns, Filter, Views> {
  readonly store: FeedStore<Columns>;
  readonly preloader: Preloader;
  /** Records loaded between two turns of the event loop. */
  readonly sliceSize: number;
}

/**
 * Brings a feed in memory to its published version, and swaps the snapshot. A load that fails leaves nothing behind, so
 * that it may fail as often as it will. A version that cannot be read is left until another is published. Where the
 * database has gone back, so does the feed: what is sold is what can be delivered again.
 *
 * @returns true when another version was loaded.
 */
export async function refreshFeed<
  Rank extends Identified,
  Columns extends Rank & Origin,
  Filter,
  Views extends RecordViews,
>(ports: RefreshPorts<Rank, Columns, Filter, Views>): Promise<boolean> {
  const { feed, store, preloader } = ports;
  for (;;) {
    const published = await store.currentVersion();
    const { version } = feed.current();
    const { completeAsOf: at, takedownNumber } = published;
    if (published.version === version && at !== undefined) feed.confirm({ at, takedownNumber });
    feed.noteReadable(published.isReadable);
    if (published.version === version || !published.isReadable) return false;
    // It may be this process that has just published it.
    if (await preloader.clear()) continue;
    if (await load(ports, published)) return true;
  }
}

/**
 * Loads what has changed since the version in memory, a slice at a time so that the event loop stays free; all of it
 * where the database does not tell that any more, or has gone back.
 *
 * @returns false where others have published so often meanwhile that something was dropped before it was read
 */
async function load<Rank extends Identified, Columns extends Rank & Origin, Filter, Views extends RecordViews>(
  ports: RefreshPorts<Rank, Columns, Filter, Views>,
  { version, publishedAt, takedownNumber }: FeedVersion,
): Promise<boolean> {
  const { kind, feed, store, bodies, sliceSize } = ports;
  const held = feed.current();
  const isAnew = held.version > version || isForgotten(held.version, version);
  const since = isAnew ? 0 : held.version;
  const records = isAnew ? createEmptyRecords<Rank, Columns>(kind) : held.records;
  const incoming = beginVersion(ports, version, records, bodies?.inPlace(version, isAnew));
  try {
    for await (const chunk of readAhead(store.readChanges(since, version))) {
      for (let start = 0; start < chunk.length; start += sliceSize) {
        for (const stored of chunk.slice(start, start + sliceSize)) incoming.take(stored);
        await nextTurn();
      }
    }
    // Only retired and replaced records were dropped: the version itself must still be kept.
    const needed = since === 0 ? version : since;
    const isLost = isForgotten(needed, (await store.currentVersion()).version);
    if (isLost) incoming.abandon();
    else await incoming.finish({ at: publishedAt, takedownNumber });
    return !isLost;
  } catch (error) {
    incoming.abandon();
    throw error;
  }
}
