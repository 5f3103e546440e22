import type { Identified } from './identified.js';
import { beginVersion, type FeedInMemory } from './incoming-version.js';
import type { RecordToStore, RecordViews } from './published-record.js';

/** Takes in what a publication writes, under the version that it will have. */
export interface Follower {
  put(records: readonly RecordToStore[]): void;
  remove(ids: readonly string[]): void;
  /**
   * Moves the version, and has it in memory when that is done.
   *
   * @returns what `move` does: false when another publisher was faster
   */
  commit(move: () => Promise<boolean>, publishedAt: Date): Promise<boolean>;
  /** Leaves nothing behind, unless the version was moved. */
  abandon(): Promise<void>;
}

/**
 * Where the version that this process publishes comes into memory while it is written. Whoever asks for it when it is
 * published need not wait for a load, which takes seconds for a large feed. Meanwhile the version before is sold: its bytes
 * that are replaced already are read from the database.
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

interface Staged {
  leave(): Promise<void>;
  /** Undefined until its version is to be moved. */
  moving(): Promise<unknown> | undefined;
}

/** Creates the stage of a feed, empty. */
export function createStage<Rank extends Identified, Columns extends Rank, Filter, Views extends RecordViews>(
  ports: FeedInMemory<Rank, Columns, Filter, Views>,
): Stage {
  const { kind, feed, log } = ports;
  let staged: Staged | undefined;

  function begin(version: number): Follower {
    const incoming = beginVersion(ports, version, false);
    const taken = new Set<string>();
    /** Whether it can become the version that is published; else that is loaded. */
    let isWhole = true;
    let moving: Promise<boolean> | undefined;
    let leaving: Promise<void> | undefined;
    const own: Staged = { leave, moving: () => moving };
    staged = own;

    function isTaken(id: string): boolean {
      // Of what comes twice, the database tells what is published.
      isWhole &&= !taken.has(id);
      taken.add(id);
      return isWhole;
    }

    function leave(): Promise<void> {
      isWhole = false;
      leaving ??= incoming.abandon().finally(() => {
        if (staged === own) staged = undefined;
      });
      return leaving;
    }

    async function bring(publishedAt: Date): Promise<void> {
      try {
        await incoming.finish(publishedAt);
        leaving = Promise.resolve();
        staged = undefined;
      } catch (error) {
        log.error({ err: error, feed: kind.name, version }, 'what was just published is loaded anew');
      }
    }

    async function moveAndBring(move: () => Promise<boolean>, publishedAt: Date): Promise<boolean> {
      try {
        const isMoved = await move();
        if (isMoved && isWhole) await bring(publishedAt);
        return isMoved;
      } finally {
        await leave();
      }
    }

    return {
      put(records) {
        for (const { id, columns, bodies } of records) {
          if (!isTaken(id)) return;
          const json = JSON.parse(columns) as Readonly<Record<string, unknown>>;
          incoming.take({ retired: false, id, columns: kind.readColumns(json), bodies });
        }
      },
      remove(ids) {
        for (const id of ids) {
          if (!isTaken(id)) return;
          incoming.take({ retired: true, id });
        }
      },
      commit: (move, publishedAt) => (moving = moveAndBring(move, publishedAt)),
      abandon: leave,
    };
  }

  return {
    follow: (from) => (staged === undefined && feed.current().version === from ? begin(from + 1) : undefined),
    async clear() {
      const moving = staged?.moving();
      if (moving === undefined) await staged?.leave();
      else await moving.catch(() => undefined);
      return moving !== undefined;
    },
  };
}
