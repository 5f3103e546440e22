import type { Cutoff } from '../query/cutoff.js';
import type { BodiesBeside } from './held-bodies.js';
import type { Identified } from '../query/identified.js';
import { beginVersion, type FeedInMemory } from './incoming-version.js';
import type { RecordToStore, RecordViews } from './published-record.js';
import type { Origin } from '../takedowns.js';

/** Receives the records of the publication in progress, for its future version. */
export interface Follower {
  put(records: readonly RecordToStore[]): void;
  remove(ids: readonly string[]): void;
  /** Runs `move` (the database commit), then makes the version in memory current. @throws the errors of `move` */
  commit(move: () => Promise<void>, cutoff: Cutoff): Promise<void>;
  /** Discards the version, unless it was committed. */
  abandon(): void;
}

/**
 * Builds the next version of a feed in memory while this process writes it to the database. After the publication no
 * load is needed, which takes seconds for a large feed. Meanwhile the version before is sold.
 */
export interface Stage {
  /** Begins the version after `from`. Undefined if `from` is not in memory or another publication is in progress. */
  follow(from: number): Follower | undefined;
  /**
   * Makes room for a load: waits for a commit in progress, and discards a version that is not being committed.
   *
   * @returns true if it waited: there may be nothing left to load
   */
  clear(): Promise<boolean>;
}

/** Some 35,000 deals. A version that replaces more is loaded when it is published. */
const mostReplacedBytes = 256 * 1024 * 1024;

/** Creates the stage of a feed. `mostBytes`: limit of replaced records kept beside the new ones. */
export function createStage<Rank extends Identified, Columns extends Rank & Origin, Filter, Views extends RecordViews>(
  ports: FeedInMemory<Rank, Columns, Filter, Views>,
  mostBytes = mostReplacedBytes,
): Stage {
  let staged: StagedVersion | undefined;
  return {
    follow(from) {
      if (staged?.isOnStage() === true || ports.feed.current().version !== from) return undefined;
      staged = stageVersion(ports, from + 1, mostBytes);
      return staged;
    },
    async clear() {
      const moving = staged?.moving();
      if (moving === undefined) staged?.abandon();
      else await moving.catch(() => undefined);
      return moving !== undefined;
    },
  };
}

interface StagedVersion extends Follower {
  /** False once it was abandoned or committed. */
  isOnStage(): boolean;
  /** The commit in progress. */
  moving(): Promise<void> | undefined;
}

function stageVersion<Rank extends Identified, Columns extends Rank & Origin, Filter, Views extends RecordViews>(
  ports: FeedInMemory<Rank, Columns, Filter, Views>,
  version: number,
  mostBytes: number,
): StagedVersion {
  const { kind, feed, log } = ports;
  const bodies: BodiesBeside | undefined = ports.bodies?.beside(version);
  const incoming = beginVersion(ports, version, feed.current().records, bodies);
  const taken = new Set<string>();
  let isOnStage = true;
  let moving: Promise<void> | undefined;

  function abandon(): void {
    if (!isOnStage) return;
    isOnStage = false;
    incoming.abandon();
  }

  /** If an id is written twice, this version is abandoned and loaded from the database later. */
  function mayTake(id: string): boolean {
    if (taken.has(id) || (bodies !== undefined && bodies.replacedBytes() > mostBytes)) abandon();
    taken.add(id);
    return isOnStage;
  }

  async function commitThenActivate(move: () => Promise<void>, cutoff: Cutoff): Promise<void> {
    try {
      await move();
      if (!isOnStage) return;
      await incoming.finish(cutoff).catch((error: unknown) => {
        log.error({ err: error, feed: kind.name, version }, 'published version not kept in memory; loading it again');
        incoming.abandon();
      });
      isOnStage = false;
    } finally {
      abandon();
      moving = undefined;
    }
  }

  return {
    put(records) {
      for (const { id, columns, bodies: texts } of records) {
        if (!isOnStage || !mayTake(id)) return;
        const json = JSON.parse(columns) as Readonly<Record<string, unknown>>;
        incoming.take({ retired: false, id, columns: kind.readColumns(json), bodies: texts });
      }
    },
    remove(ids) {
      for (const id of ids) {
        if (!isOnStage || !mayTake(id)) return;
        incoming.take({ retired: true, id });
      }
    },
    commit: (move, cutoff) => (moving = commitThenActivate(move, cutoff)),
    abandon,
    isOnStage: () => isOnStage,
    moving: () => moving,
  };
}
