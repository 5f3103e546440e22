import type { Log } from '../src/log.js';
import type { RunDue } from './run-due.js';
import { tickEachMinute } from './tick-each-minute.js';
import { laneOf, slotOf, type TimetableEntry } from './timetable.js';

export interface ClockParts {
  readonly timetable: readonly TimetableEntry[];
  /**
   * Returns the timetable in the current order; called before each run of a lane. Default: the timetable's own order.
   */
  readonly orderNow?: () => Promise<readonly TimetableEntry[]>;
  readonly runDue: RunDue;
  readonly log: Pick<Log, 'warn' | 'error' | 'debug'>;
  /** Default: the system time. */
  readonly now?: () => Date;
  /** Calls `tick` at each full minute until the returned function is called. Default: node-cron in UTC. */
  readonly everyMinute?: typeof tickEachMinute;
}

export interface Clock {
  /** Starts the due jobs and resolves when they are done. The clock calls it at its start and each minute. */
  tick(): Promise<void>;
  /** Starts no more jobs, asks running jobs to end at their next safe point, and waits for them. */
  stop(): Promise<void>;
}

/**
 * Starts the clock: each job runs for its latest slot, so one run makes up for several missed slots.
 *
 * - Lanes run in parallel, so that a long import never delays payments.
 * - In a lane, the timetable's order applies over all instances: a job waits until the one before it has ended, here or
 *   elsewhere.
 * - Ended slots are remembered, so an idle tick does not query the database.
 */
export function startClock(parts: ClockParts): Clock {
  const { timetable, runDue, log, now = () => new Date(), everyMinute = tickEachMinute } = parts;
  const over = new Map<string, number>();
  const busy = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  async function runLane(lane: string): Promise<void> {
    const entries = parts.orderNow === undefined ? timetable : await parts.orderNow();
    for (const entry of entries.filter((each) => laneOf(each) === lane)) {
      if (stopping.signal.aborted) return;
      const slot = slotOf(entry, now());
      if (over.get(entry.job) === slot.getTime()) continue;
      if (!(await runDue(entry.job, slot, stopping.signal))) return;
      over.set(entry.job, slot.getTime());
    }
  }

  async function tick(): Promise<void> {
    for (const lane of new Set(timetable.map(laneOf))) {
      if (busy.has(lane) || stopping.signal.aborted) continue;
      const done = runLane(lane)
        .catch((error: unknown) => log.error({ err: error, lane }, 'slot not run; next tick retries'))
        .finally(() => busy.delete(lane));
      busy.set(lane, done);
    }
    await Promise.all(busy.values());
  }

  // Not awaited: a tick may last as long as its longest job, and the other lanes need the next one.
  const stopTicking = everyMinute(() => void tick(), log);
  void tick();
  return {
    tick,
    stop: async () => {
      stopTicking();
      stopping.abort(new Error('The process is stopping.'));
      await Promise.all(busy.values());
    },
  };
}
