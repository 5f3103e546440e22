import { setImmediate as nextTurn } from 'node:timers/promises';
import { readAhead } from '../db/read-ahead.js';
import type { Log } from '../log.js';
import type { FeedKind } from './feed-kind.js';
import type { Identified } from './identified.js';
import { isForgotten, type Feed } from './feed.js';
import type { FeedStore } from './feed-store.js';
import type { HeldBodies } from './held-bodies.js';
import { holdNothing } from './held-records.js';
import type { RecordViews, StoredRecord } from './published-record.js';
import { createSnapshot } from './snapshot.js';

export interface RefreshPorts<Rank extends Identified, Columns extends Rank, Filter, Views extends RecordViews> {
  readonly kind: FeedKind<Rank, Columns, Filter>;
  readonly feed: Feed<Rank, Columns, Filter, Views>;
  readonly store: FeedStore<Columns>;
  /** Where the bytes of records are held; undefined where they stay in the database. */
  readonly bodies: HeldBodies<Views> | undefined;
  /** Records loaded between two turns of the event loop. */
  readonly sliceSize: number;
  readonly log: Log;
}

/**
 * Brings a feed in memory to its published version: loads what changed since, a slice at a time so that the event loop
 * stays free, and swaps the snapshot. A record that breaks the contract (another process may have written it) is left out
 * and logged; it never stops the others. A load that fails leaves nothing behind, so that it may fail as often as it will.
 *
 * @returns true when a newer version was loaded.
 */
export async function refreshFeed<Rank extends Identified, Columns extends Rank, Filter, Views extends RecordViews>(
  ports: RefreshPorts<Rank, Columns, Filter, Views>,
): Promise<boolean> {
  const { kind, feed, store, bodies, sliceSize, log } = ports;
  const { version, publishedAt, completeAsOf } = await store.currentVersion();
  const held = feed.current();
  if (version === held.version && completeAsOf !== undefined) feed.confirm(completeAsOf);
  if (version <= held.version) return false;
  const isAnew = isForgotten(held.version, version);
  const since = isAnew ? 0 : held.version;
  const change = (isAnew ? holdNothing<Rank, Columns>(kind) : held.records).change();
  const hold = ({ id, columns, bodies: texts }: KeptRecord<Columns>): Columns => {
    bodies?.hold(id, version, texts);
    return columns;
  };
  try {
    for await (const chunk of readAhead(store.readChanges(since, version))) {
      for (let start = 0; start < chunk.length; start += sliceSize) {
        for (const stored of chunk.slice(start, start + sliceSize)) {
          const record = stored.retired ? undefined : loadOrLeave(() => hold(stored), stored.id, log);
          if (record !== undefined) change.put(record);
          else {
            change.remove(stored.id);
            bodies?.letGo(stored.id);
          }
        }
        await nextTurn();
      }
    }
    // Others may have published meanwhile, so often that something was dropped before it was read.
    if (isForgotten(since === 0 ? version : since, (await store.currentVersion()).version)) {
      change.abandon();
      return await refreshFeed(ports);
    }
    if (isAnew) await bodies?.letGoOfEarlier(version, nextTurn);
    const records = await change.finish(nextTurn);
    feed.replace(await createSnapshot(kind, { version, publishedAt, records }, nextTurn));
  } catch (error) {
    change.abandon();
    throw error;
  }
  return true;
}

/** A record that is not retired. */
type KeptRecord<Columns> = Extract<StoredRecord<Columns>, { readonly retired: false }>;

/** Undefined for a record that breaks the contract: it never stops the others. */
export function loadOrLeave<Loaded>(load: () => Loaded, id: string, log: Log): Loaded | undefined {
  try {
    return load();
  } catch (error) {
    log.error({ err: error, id }, 'a published record breaks the contract and is left out');
    return undefined;
  }
}
