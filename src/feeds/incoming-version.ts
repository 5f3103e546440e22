import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../log.js';
import type { FeedKind } from './feed-kind.js';
import type { Feed } from './feed.js';
import type { HeldBodies } from './held-bodies.js';
import { holdNothing } from './held-records.js';
import type { Identified } from './identified.js';
import type { RecordViews, StoredRecord } from './published-record.js';
import { createSnapshot } from './snapshot.js';

/** Where versions come in: a feed in memory. */
export interface FeedInMemory<Rank extends Identified, Columns extends Rank, Filter, Views extends RecordViews> {
  readonly kind: FeedKind<Rank, Columns, Filter>;
  readonly feed: Feed<Rank, Columns, Filter, Views>;
  /** Where the bytes of records are held; undefined where they stay in the database. */
  readonly bodies: HeldBodies<Views> | undefined;
  readonly log: Log;
}

/** A later version on its way into memory. Until it has come, the one before is sold; of a feed, one comes in at a time. */
export interface IncomingVersion<Columns> {
  /**
   * Takes a record in, or lets go of one that is retired; each id once. A record that breaks the contract (another process
   * may have written it) is left out and logged; it never stops the others.
   */
  take(stored: StoredRecord<Columns>): void;
  /** Makes the version the current one. */
  finish(publishedAt: Date): Promise<void>;
  /** Leaves nothing of it behind, at any point: bytes of before that it has replaced are in the database. */
  abandon(): Promise<void>;
}

/** Begins a version: with the records of the one before it, or anew. */
export function beginVersion<Rank extends Identified, Columns extends Rank, Filter, Views extends RecordViews>(
  { kind, feed, bodies, log }: FeedInMemory<Rank, Columns, Filter, Views>,
  version: number,
  isAnew: boolean,
): IncomingVersion<Columns> {
  const before = feed.current();
  const change = (isAnew ? holdNothing<Rank, Columns>(kind) : before.records).change();

  function hold(stored: KeptRecord<Columns>): Columns {
    bodies?.hold(stored.id, version, stored.bodies);
    return stored.columns;
  }

  return {
    take(stored) {
      const record = stored.retired ? undefined : loadOrLeave(() => hold(stored), stored.id, log);
      if (record !== undefined) change.put(record);
      else {
        change.remove(stored.id);
        bodies?.letGo(stored.id);
      }
    },
    async finish(publishedAt) {
      if (isAnew) await bodies?.keepOnly((since) => since === version, nextTurn);
      const records = await change.finish(nextTurn);
      feed.replace(await createSnapshot(kind, { version, publishedAt, records }, nextTurn));
    },
    async abandon() {
      change.abandon();
      await bodies?.keepOnly((since) => since <= before.version, nextTurn);
    },
  };
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
