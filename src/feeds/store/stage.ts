import type { AsOf } from '../query/as-of.js';
import type { BodiesBeside } from './held-bodies.js';
import type { Identified } from '../query/identified.js';
import { beginVersion, type FeedInMemory } from './incoming-version.js';
import type { RecordToStore, RecordViews } from './published-record.js';
import type { Origin } from '../takedowns.js';

/** Takes in what a publication writes, under the version that it will have. */
export interface Follower {
  put(records: readonly RecordToStore[]): void;
  remove(ids: readonly string[]): void;
  /** Moves the version, and has it in memory when that is done. @throws what `move` does */
  commit(move: () => Promise<void>, asOf: AsOf): Promise<void>;
  /** Leaves nothing behind, unless the version was moved. */
  abandon(): void;
}

/**
 * Where the version that this process publishes comes into memory while it is written. Whoever asks for it when it is
 * published need not wait for a load, which takes seconds for a large feed. Meanwhile the version before is sold.
 */
export interface Stage {
  /** Begins the version after one; undefined where that one is not in memory, or another publication is followed. */
  follow(from: number): Follower | undefined;
  /**
   * Makes room for a load: waits for a version that is just being moved, and lets go of one that is not.
   *
   * @returns true where it has waited: there may be nothing to load any more
   */
  clear(): Promise<boolean>;
}

/** Some 35,000 deals. A version that replaces more is loaded when it is published. */
const mostReplacedBytes = 256 * 1024 * 1024;

/** Creates the stage of a feed, empty. `mostBytes`: of records that are held twice while a version comes in. */
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
  /** False once it was abandoned or has come. */
  isOnStage(): boolean;
  /** While its version is moved. */
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

  /** Of what comes twice, the database tells what is published. */
  function mayTake(id: string): boolean {
    if (taken.has(id) || (bodies !== undefined && bodies.replacedBytes() > mostBytes)) abandon();
    taken.add(id);
    return isOnStage;
  }

  async function moveAndBring(move: () => Promise<void>, asOf: AsOf): Promise<void> {
    try {
      await move();
      if (!isOnStage) return;
      await incoming.finish(asOf).catch((error: unknown) => {
        log.error({ err: error, feed: kind.name, version }, 'what was just published is loaded anew');
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
    commit: (move, asOf) => (moving = moveAndBring(move, asOf)),
    abandon,
    isOnStage: () => isOnStage,
    moving: () => moving,
  };
}
