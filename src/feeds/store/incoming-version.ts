import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../log.js';
import type { Cutoff } from '../query/cutoff.js';
import type { FeedKind } from '../query/feed-kind.js';
import type { Feed } from '../feed.js';
import type { InMemoryBodies, TakeInBodies } from './in-memory-bodies.js';
import type { InMemoryRecords } from './in-memory-records.js';
import type { Identified } from '../query/identified.js';
import { loadOrLeave, type RecordViews, type StoredRecord } from './published-record.js';
import { createSnapshot } from '../query/snapshot.js';
import type { Origin } from '../takedowns.js';

/** Where versions come in: a feed in memory. */
export interface FeedInMemory<
  Rank extends Identified,
  Columns extends Rank & Origin,
  Filter,
  Views extends RecordViews,
> {
  readonly kind: FeedKind<Rank, Columns, Filter>;
  readonly feed: Feed<Rank, Columns, Filter, Views>;
  /** Where the bytes of records are held; undefined where they stay in the database. */
  readonly bodies: InMemoryBodies<Views> | undefined;
  readonly log: Log;
}

/**
 * A later version on its way into memory, one at a time for each feed. Until it is complete, the one before is sold.
 */
export interface IncomingVersion<Columns> {
  /**
   * Takes a record in, or lets go of one that is retired; each id once. A record that breaks the contract (another
   * process may have written it) is left out and logged; it never stops the others.
   */
  take(stored: StoredRecord<Columns>): void;
  /** Makes the version the current one. */
  finish(cutoff: Cutoff): Promise<void>;
  /** Gives back what its records took, at any point. */
  abandon(): void;
}

/** Begins a version upon some records, mostly those of the version before. */
export function beginVersion<Rank extends Identified, Columns extends Rank & Origin, Filter, Views extends RecordViews>(
  { kind, feed, log }: FeedInMemory<Rank, Columns, Filter, Views>,
  version: number,
  records: InMemoryRecords<Columns>,
  bodies: TakeInBodies | undefined,
): IncomingVersion<Columns> {
  const change = records.change();

  function hold(stored: Extract<StoredRecord<Columns>, { readonly retired: false }>): Columns {
    bodies?.hold(stored.id, stored.bodies);
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
    async finish({ at: publishedAt, takedownNumber }) {
      await bodies?.complete(nextTurn);
      const finished = await change.finish(nextTurn);
      feed.replace(await createSnapshot(kind, { version, publishedAt, takedownNumber, records: finished }, nextTurn));
    },
    abandon: () => change.abandon(),
  };
}
