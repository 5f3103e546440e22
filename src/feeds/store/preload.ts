import type { Cutoff } from '../query/cutoff.js';
import type { Identified } from '../query/identified.js';
import { beginVersion, type FeedInMemory } from './incoming-version.js';
import type { RecordToStore, RecordViews } from './published-record.js';
import type { Origin } from '../takedowns.js';

/** The next version of a feed, built in memory while this process writes it to the database. */
export interface Preload {
  put(records: readonly RecordToStore[]): void;
  remove(ids: readonly string[]): void;
  /** Runs `move` (the database commit), then makes the version in memory current. @throws the errors of `move` */
  commit(move: () => Promise<void>, cutoff: Cutoff): Promise<void>;
  /** Discards the version, unless it was committed. */
  abandon(): void;
}

/**
 * Preloads the versions that this process publishes: no load is needed afterwards, which takes seconds for a large
 * feed. Meanwhile the version before is sold.
 */
export interface Preloader {
  /** Begins the version after `from`. Undefined if `from` is not in memory or another publication is in progress. */
  begin(from: number): Preload | undefined;
  /**
   * Makes room for a load: waits for a commit in progress, and discards a version that is not being committed.
   *
   * @returns true if it waited: there may be nothing left to load
   */
  clear(): Promise<boolean>;
}

/** Some 35,000 deals. A version that replaces more is loaded when it is published. */
const mostReplacedBytes = 256 * 1024 * 1024;

/** Creates the preloader of a feed. `mostBytes`: limit of replaced records kept beside the new ones. */
export function createPreloader<
  Rank extends Identified,
  Columns extends Rank & Origin,
  Filter,
  Views extends RecordViews,
>(ports: FeedInMemory<Rank, Columns, Filter, Views>, mostBytes = mostReplacedBytes): Preloader {
  let running: RunningPreload | undefined;
  return {
    begin(from) {
      if (running?.isOpen() === true || ports.feed.current().version !== from) return undefined;
      running = beginPreload(ports, from + 1, mostBytes);
      return running;
    },
    async clear() {
      const moving = running?.moving();
      if (moving === undefined) running?.abandon();
      else await moving.catch(() => undefined);
      return moving !== undefined;
    },
  };
}

interface RunningPreload extends Preload {
  /** False once it was abandoned or committed. */
  isOpen(): boolean;
  /** The commit in progress. */
  moving(): Promise<void> | undefined;
}

function beginPreload<Rank extends Identified, Columns extends Rank & Origin, Filter, Views extends RecordViews>(
  ports: FeedInMemory<Rank, Columns, Filter, Views>,
  version: number,
  mostBytes: number,
): RunningPreload {
  const { kind, feed, log } = ports;
  const bodies = ports.bodies?.beside(version);
  const incoming = beginVersion(ports, version, feed.current().records, bodies);
  const taken = new Set<string>();
  let isOpen = true;
  let moving: Promise<void> | undefined;

  function abandon(): void {
    if (!isOpen) return;
    isOpen = false;
    incoming.abandon();
  }

  /** If an id is written twice, this version is abandoned and loaded from the database later. */
  function mayTake(id: string): boolean {
    if (taken.has(id) || (bodies !== undefined && bodies.replacedBytes() > mostBytes)) abandon();
    taken.add(id);
    return isOpen;
  }

  async function commitThenActivate(move: () => Promise<void>, cutoff: Cutoff): Promise<void> {
    try {
      await move();
      if (!isOpen) return;
      await incoming.finish(cutoff).catch((error: unknown) => {
        log.error({ err: error, feed: kind.name, version }, 'published version not kept in memory; loading it again');
        incoming.abandon();
      });
      isOpen = false;
    } finally {
      abandon();
      moving = undefined;
    }
  }

  return {
    put(records) {
      for (const { id, columns, bodies: texts } of records) {
        if (!isOpen || !mayTake(id)) return;
        const json = JSON.parse(columns) as Readonly<Record<string, unknown>>;
        incoming.take({ retired: false, id, columns: kind.readColumns(json), bodies: texts });
      }
    },
    remove(ids) {
      for (const id of ids) {
        if (!isOpen || !mayTake(id)) return;
        incoming.take({ retired: true, id });
      }
    },
    commit: (move, cutoff) => (moving = commitThenActivate(move, cutoff)),
    abandon,
    isOpen: () => isOpen,
    moving: () => moving,
  };
}
