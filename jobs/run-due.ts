import type { Log } from '../src/log.js';
import type { Job } from './job.js';
import type { JobRunsStore } from './job-runs-store.js';
import { isOver, runOncePerSlot } from './run-once-per-slot.js';
import { laneOf, type TimetableEntry } from './timetable.js';

export interface RunDueParts {
  readonly store: JobRunsStore;
  readonly jobs: readonly Job[];
  /** Source of the jobs' lanes. */
  readonly timetable: readonly TimetableEntry[];
  /** Name of this process; never shared with another process or a later start. */
  readonly owner: string;
  readonly now: () => Date;
  readonly log: Pick<Log, 'debug' | 'info' | 'warn'>;
  /** Default 120,000. */
  readonly leaseMs?: number;
  /** Default 5. */
  readonly maxAttempts?: number;
}

const frequentMs = 60_000;

/** Runs a slot of a job; true when the slot needs no more attention. */
export type RunDue = (job: string, slot: Date, signal: AbortSignal) => Promise<boolean>;

/** Creates the function that the clock calls for each due slot; it runs the named job once over all instances. */
export function createRunDue(parts: RunDueParts): RunDue {
  const { store, jobs, timetable, owner, now, log, leaseMs = 120_000, maxAttempts = 5 } = parts;
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const entries = new Map(timetable.map((entry) => [entry.job, entry]));
  return async (name, slot, signal) => {
    const job = byName.get(name);
    if (job === undefined) throw new Error(`The timetable asks for the job ${name}, which does not exist.`);
    if ((await job.isNeeded?.()) === false) return true;
    const entry = entries.get(name);
    const isFrequent = (entry?.periodMs ?? Infinity) <= frequentMs;
    const run: Job['run'] = (context) => {
      log[isFrequent ? 'debug' : 'info']({ job: name, slot }, 'job started');
      return job.run(context);
    };
    if (job.canRun !== undefined && !(await job.canRun(slot))) {
      log.warn({ job: name, slot }, 'job left to other instances: this one sees none of its sources');
      // Done for this instance: trying the slot again and again would block the jobs after it.
      return true;
    }
    const outcome = await runOncePerSlot({
      store,
      job: name,
      slot,
      lane: entry === undefined ? name : laneOf(entry),
      owner,
      leaseMs,
      maxAttempts: entry?.maxAttempts ?? maxAttempts,
      now,
      signal,
      run,
    });
    if (outcome.status === 'succeeded') {
      // What each minute finds nothing to do is no news.
      const didNothing = isFrequent && Object.values(outcome.summary).every((value) => value === 0);
      log[didNothing ? 'debug' : 'info']({ job: name, slot, ...outcome }, 'job succeeded');
    } else if (outcome.status !== 'busy' && outcome.status !== 'over') {
      log.warn({ job: name, slot, ...outcome }, `job ${outcome.status}`);
    }
    return isOver(outcome);
  };
}
