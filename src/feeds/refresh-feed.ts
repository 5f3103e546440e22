import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../log.js';
import type { FeedKind } from './feed-kind.js';
import type { Identified } from './identified.js';
import type { Feed } from './feed.js';
import type { FeedStore } from './feed-store.js';
import type { HeldRecord, RecordViews, StoredBodies } from './published-record.js';
import { createSnapshot } from './snapshot.js';

export interface RefreshPorts<Rank extends Identified, Columns extends Rank, Filter, Views extends RecordViews> {
  readonly kind: FeedKind<Rank, Columns, Filter>;
  readonly feed: Feed<Rank, Columns, Filter, Views>;
  readonly store: FeedStore<Columns>;
  /** Makes of a stored record what is held in memory; throws when it breaks the contract. */
  readonly load: (columns: Columns, bodies: StoredBodies) => HeldRecord<Columns, Views>;
  /** Records loaded between two turns of the event loop. */
  readonly sliceSize: number;
  readonly log: Log;
}

/**
 * Brings a feed in memory to its published version: loads what changed since, a slice at a time so that the event loop
 * stays free, and swaps the snapshot. A record that breaks the contract (another process may have written it) is left out
 * and logged; it never stops the others.
 *
 * @returns true when a newer version was loaded.
 */
export async function refreshFeed<Rank extends Identified, Columns extends Rank, Filter, Views extends RecordViews>(
  ports: RefreshPorts<Rank, Columns, Filter, Views>,
): Promise<boolean> {
  const { kind, feed, store, sliceSize } = ports;
  const { version, publishedAt } = await store.currentVersion();
  const held = feed.current();
  if (version <= held.version) return false;
  const change = held.records.change();
  for await (const chunk of store.readChanges(held.version, version)) {
    for (let start = 0; start < chunk.length; start += sliceSize) {
      for (const stored of chunk.slice(start, start + sliceSize)) {
        const record = stored.retired ? undefined : loadOrLeave(ports, stored.columns, stored.bodies);
        if (record === undefined) change.remove(stored.id);
        else change.put(record);
      }
      await nextTurn();
    }
  }
  const records = await change.finish(nextTurn);
  feed.replace(await createSnapshot(kind, { version, publishedAt, records }, nextTurn));
  return true;
}

function loadOrLeave<Columns extends Identified, Item>(
  { load, log }: { load: (columns: Columns, bodies: StoredBodies) => Item; log: Log },
  columns: Columns,
  bodies: StoredBodies,
): Item | undefined {
  try {
    return load(columns, bodies);
  } catch (error) {
    log.error({ err: error, id: columns.id }, 'a published record breaks the contract and is left out');
    return undefined;
  }
}
