import type { Knex } from 'knex';

/** `abandoned`: the process ended before the run did; the next run starts anew. */
export const runStatuses = ['running', 'abandoned', 'failed', 'unchanged', 'quarantined', 'completed'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** What is known of an earlier run. */
export interface EarlierRun {
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly etag: string | undefined;
  readonly accepted: number;
}

export interface RunOutcome {
  readonly status: Exclude<RunStatus, 'running' | 'abandoned'>;
  readonly etag: string | undefined;
  readonly accepted: number;
  readonly rejected: number;
  readonly created: number;
  readonly retired: number;
  readonly problem: string | undefined;
}

export interface RunStore {
  /** Starts a run and gives up what an earlier process left running. Returns the run's id. */
  start(sourceName: string, now: Date): Promise<number>;
  finish(runId: number, outcome: RunOutcome, now: Date): Promise<void>;
  /** The latest run of a source that has one of these statuses. */
  findLatest(sourceName: string, statuses: readonly RunStatus[]): Promise<EarlierRun | undefined>;
}

/** Keeps the runs of sources. One process at a time reads a source; the jobs see to that. */
export function createRunStore(knex: Knex): RunStore {
  return {
    async start(sourceName, now) {
      await knex('source_runs')
        .where({ source_name: sourceName, status: 'running' })
        .update({ status: 'abandoned', finished_at: now, problem: 'The process ended before the run did.' });
      const rows: { id: number }[] = await knex('source_runs')
        .insert({ source_name: sourceName, started_at: now, status: 'running' })
        .returning('id');
      const [run] = rows;
      if (run === undefined) throw new Error('The database did not return the id of the new run.');
      return run.id;
    },
    async finish(runId, outcome, now) {
      await knex('source_runs')
        .where({ id: runId })
        .update({
          status: outcome.status,
          finished_at: now,
          etag: outcome.etag ?? null,
          rows_accepted: outcome.accepted,
          rows_rejected: outcome.rejected,
          listings_created: outcome.created,
          listings_retired: outcome.retired,
          problem: outcome.problem?.slice(0, 500) ?? null,
        });
    },
    async findLatest(sourceName, statuses) {
      const row = await knex<RunRow>('source_runs')
        .where({ source_name: sourceName })
        .whereIn('status', [...statuses])
        .orderBy('id', 'desc')
        .first('status', 'started_at', 'etag', 'rows_accepted');
      if (row === undefined) return undefined;
      return {
        status: row.status,
        startedAt: row.started_at,
        etag: row.etag ?? undefined,
        accepted: row.rows_accepted,
      };
    },
  };
}

interface RunRow {
  readonly source_name: string;
  readonly status: RunStatus;
  readonly started_at: Date;
  readonly etag: string | null;
  readonly rows_accepted: number;
}
