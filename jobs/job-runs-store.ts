import type { Knex } from 'knex';
import { hasCode } from '../src/db/sql/has-code.js';
import type { JobFigures } from './job.js';

/** One slot of one job. */
export interface SlotKey {
  readonly job: string;
  readonly slot: Date;
}

/** The right to run a slot. Void as soon as the row has another owner or attempt. */
export interface SlotClaim extends SlotKey {
  readonly owner: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

export type ClaimResult =
  | { readonly status: 'claimed'; readonly claim: SlotClaim }
  /** The slot is running or waits for its next attempt, or another job of its lane is running. */
  | { readonly status: 'busy' }
  | { readonly status: 'succeeded' }
  /** The slot failed as often as allowed. */
  | { readonly status: 'exhausted' };

export interface ClaimRequest extends SlotKey {
  /** At most one slot of a lane runs at a time. */
  readonly lane: string;
  readonly owner: string;
  readonly leaseMs: number;
  readonly maxAttempts: number;
}

export type SlotResult =
  | { readonly state: 'succeeded'; readonly summary: JobFigures }
  /** `retryMs`: pause before the next attempt. `counts`: whether this attempt counts against the limit. */
  | { readonly state: 'failed'; readonly error: string; readonly retryMs: number; readonly counts: boolean };

/** An entry of the history. */
export interface JobRun extends SlotKey {
  readonly state: 'running' | 'succeeded' | 'failed';
  readonly owner: string;
  readonly attempts: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly error: string | null;
  readonly progress: JobFigures | null;
  readonly summary: JobFigures | null;
}

/** The table job_runs: who runs each slot, until when, and how the runs ended. */
export type JobRunsStore = ReturnType<typeof createJobRunsStore>;

/**
 * Creates the store of job_runs. Every write is a single statement, safe from any instance. All times are by the
 * database's clock; instances give durations.
 */
export function createJobRunsStore(knex: Knex) {
  const after = (ms: number) => knex.raw(`now() + ? * interval '1 millisecond'`, [ms]);

  /** True when the claim was still valid and the row was changed. */
  async function update({ job, slot, owner, attempt }: SlotClaim, changes: object): Promise<boolean> {
    const rows = await knex('job_runs')
      .where({ job, slot, owner, attempts: attempt, state: 'running' })
      .update(changes);
    return rows === 1;
  }

  return {
    /** Claims the slot for this owner if it is new, failed and due again, or left by a dead process. */
    async claim(request: ClaimRequest): Promise<ClaimResult> {
      await giveUpAbandoned(knex, request);
      await forgetFuture(knex, request);
      const attempt = await insertOrTakeOver(knex, request, after(request.leaseMs));
      if (attempt === undefined) return { status: await readStatus(knex, request) };
      const { job, slot, owner } = request;
      return { status: 'claimed', claim: { job, slot, owner, attempt } };
    },

    /** Extends the claim and saves the progress; false when the claim is void. */
    async renew(claim: SlotClaim, leaseMs: number, progress: JobFigures | undefined): Promise<boolean> {
      const noted = progress === undefined ? {} : { progress: JSON.stringify(progress) };
      return update(claim, { lease_until: after(leaseMs), ...noted });
    },

    /** Saves the result of the run; false, with nothing saved, when the claim is void. */
    async finish(claim: SlotClaim, result: SlotResult): Promise<boolean> {
      if (result.state === 'succeeded') {
        const summary = JSON.stringify(result.summary);
        return update(claim, { state: 'succeeded', finished_at: after(0), error: null, summary });
      }
      const attempts = result.counts ? claim.attempt : claim.attempt - 1;
      const { error, retryMs } = result;
      return update(claim, { state: 'failed', finished_at: after(0), error, lease_until: after(retryMs), attempts });
    },

    /** Ends all leases of other owners. Only for the sole user of the database, right after its start. */
    async endForeignLeases(owner: string): Promise<number> {
      return knex('job_runs')
        .where({ state: 'running' })
        .whereNot({ owner })
        .where('lease_until', '>', after(0))
        .update({ lease_until: after(0) });
    },

    /** The job that runs in a lane. */
    async findRunning(lane: string): Promise<string | undefined> {
      const row = await knex('job_runs').where({ lane, state: 'running' }).first<{ job: string } | undefined>('job');
      return row?.job;
    },

    /** Newest slots first, of one job or of all. */
    async list({ job, limit }: { readonly job?: string; readonly limit: number }): Promise<JobRun[]> {
      const rows = await knex('job_runs')
        .select<JobRun[]>('job', 'slot', 'state', 'owner', 'attempts', 'error', 'progress', 'summary')
        .select({ startedAt: 'started_at', finishedAt: 'finished_at' })
        .where(job === undefined ? {} : { job })
        .orderBy([{ column: 'slot', order: 'desc' }, { column: 'job' }])
        .limit(limit);
      return rows;
    },

    /** Deletes slots before a time, but never a job's latest success. Returns how many. */
    async forgetBefore(moment: Date): Promise<number> {
      const latest = knex('job_runs as l').max('l.slot').where('l.state', 'succeeded').whereRaw('l.job = job_runs.job');
      return knex('job_runs')
        .where('slot', '<', moment)
        .whereNot('state', 'running')
        .whereRaw('slot is distinct from (?)', [latest])
        .del();
    },
  };
}

/** Longer than any lease or pause. A later date was written by a clock that was ahead. */
const ahead = `now() + interval '15 minutes'`;

/** Its lease is over, or from a clock of the database that was ahead. Of a failed row it is the pause. */
const isLeaseOver = `not (job_runs.lease_until > now() and job_runs.lease_until <= ${ahead})`;

/** Deletes ended runs of future slots, from a clock that was ahead; else the slot would count as done when it comes. */
async function forgetFuture(knex: Knex, { job }: ClaimRequest): Promise<void> {
  await knex('job_runs').where({ job }).whereRaw(`slot > ${ahead}`).whereNot('state', 'running').del();
}

/**
 * Ends rows of dead processes other than the requested slot, since they would block the lane; another job's slot can
 * still be claimed in its turn. Also ends the requested slot when that was its last attempt.
 */
async function giveUpAbandoned(knex: Knex, { job, slot, lane, maxAttempts }: ClaimRequest): Promise<void> {
  await knex('job_runs')
    .where({ lane, state: 'running' })
    .whereRaw(isLeaseOver)
    .where((row) => void row.whereRaw('(job, slot) <> (?, ?)', [job, slot]).orWhere('attempts', '>=', maxAttempts))
    .update({ state: 'failed', finished_at: knex.raw('now()'), error: 'The process that ran it died.' });
}

async function insertOrTakeOver(knex: Knex, request: ClaimRequest, leaseEnd: Knex.Raw): Promise<number | undefined> {
  const { job, slot, lane, owner, maxAttempts } = request;
  const started = { lane, owner, lease_until: leaseEnd, started_at: knex.raw('now()'), state: 'running' };
  try {
    const [row] = await knex('job_runs')
      .insert({ job, slot, attempts: 1, ...started })
      .onConflict(['job', 'slot'])
      .merge({ ...started, attempts: knex.raw('job_runs.attempts + 1'), finished_at: null })
      .whereNot('job_runs.state', 'succeeded')
      .whereRaw(isLeaseOver)
      .where('job_runs.attempts', '<', maxAttempts)
      .returning<{ attempts: number }[]>('attempts');
    return row?.attempts;
  } catch (error) {
    // job_runs_one_running: another job of this lane is running.
    if (hasCode(error, '23505')) return undefined;
    throw error;
  }
}

async function readStatus(
  knex: Knex,
  { job, slot, maxAttempts }: ClaimRequest,
): Promise<'busy' | 'succeeded' | 'exhausted'> {
  const row = await knex('job_runs').where({ job, slot }).first<{ state: string; attempts: number } | undefined>('*');
  if (row?.state === 'succeeded') return 'succeeded';
  return row?.state === 'failed' && row.attempts >= maxAttempts ? 'exhausted' : 'busy';
}
