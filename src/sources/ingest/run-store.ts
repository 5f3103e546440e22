import type { Knex } from 'knex';
import { inTransaction } from '../../db/transaction.js';
import type { SourceErrorCode } from '../source-error.js';
import type { DeliveryKind, Source } from '../source.js';

/** `abandoned`: the process ended before the run did, and the next run did not go on with it. */
export const runStatuses = ['running', 'abandoned', 'failed', 'unchanged', 'quarantined', 'completed'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** SQL that is true for a run that has seen all changes; not for one from a moment on that an operator named. */
export const sawAllChanges = '(watermark is not null or since is null)';

/** What is known of an earlier run. */
export interface EarlierRun {
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly etag: string | undefined;
  readonly accepted: number;
  /** The watermark it began at; undefined for a run that read the source whole. */
  readonly since: string | undefined;
  /** Where the next run may begin. */
  readonly watermark: string | undefined;
}

export interface RunFigures {
  readonly accepted: number;
  readonly rejected: number;
  readonly created: number;
}

export interface RunOutcome extends RunFigures {
  readonly status: Exclude<RunStatus, 'running' | 'abandoned'>;
  readonly etag: string | undefined;
  readonly retired: number;
  readonly problem: string | undefined;
  /** Of a failed run, where the source was at fault. */
  readonly problemCode: SourceErrorCode | undefined;
  readonly watermark: string | undefined;
  /** When the source's whole set was seen, where this run tells it. */
  readonly seenAt: Date | undefined;
}

/** A page that was kept whole, and where the next one is. */
export interface KeptPage extends RunFigures {
  readonly nextCursor: string;
  readonly etag: string | undefined;
  readonly watermark: string | undefined;
  readonly ids: readonly string[];
  readonly unreadIds: readonly string[];
}

/** A run whose process ended in the middle: what it had done. */
export interface CutOffRun extends RunFigures {
  readonly runId: number;
  readonly startedAt: Date;
  readonly nextCursor: string;
  readonly etag: string | undefined;
  readonly watermark: string | undefined;
}

/** A source by its name, and how it is configured now. */
export type ConfiguredSource = Pick<Source<DeliveryKind>, 'name' | 'configuration'>;

export interface RunStore {
  /** Starts a run and gives up what an earlier process left running. Returns the run's id. */
  start(source: ConfiguredSource, since: string | undefined, now: Date): Promise<number>;
  /**
   * The run that was cut off after a page kept later than `after`, if it began at the same watermark, configured like
   * now.
   */
  findCutOff(source: ConfiguredSource, since: string | undefined, after: Date): Promise<CutOffRun | undefined>;
  /** Ids of what a run has shown so far, and of what it could not read. */
  readSightings(runId: number): Promise<{ readonly ids: string[]; readonly unreadIds: string[] }>;
  keepPage(runId: number, page: KeptPage, now: Date): Promise<void>;
  /** Undoes a run that has kept no page, as if it had not begun. */
  undo(runId: number): Promise<void>;
  finish(runId: number, outcome: RunOutcome, now: Date): Promise<void>;
  /** The latest run of a source that has one of these statuses; `whole`: only runs that read all of it. */
  findLatest(
    sourceName: string,
    statuses: readonly RunStatus[],
    options?: { readonly whole?: boolean },
  ): Promise<EarlierRun | undefined>;
  /**
   * Where the latest completed run left off, runs at the operator's word aside, if the source was configured like now.
   */
  findWatermark(source: ConfiguredSource): Promise<string | undefined>;
}

/** Keeps the runs of sources. One process at a time reads a source; the jobs see to that. */
export function createRunStore(knex: Knex): RunStore {
  return {
    async start({ name, configuration }, since, now) {
      await knex.raw(forgetSightings, { source: name });
      await knex('source_runs')
        .where({ source_name: name, status: 'running' })
        .update({ status: 'abandoned', finished_at: now, problem: 'The process ended before the run did.' });
      const rows: { id: number }[] = await knex('source_runs')
        .insert({
          source_name: name,
          started_at: now,
          status: 'running',
          since: since ?? null,
          configuration: configuration ?? null,
        })
        .returning('id');
      const [run] = rows;
      if (run === undefined) throw new Error('The database did not return the id of the new run.');
      return run.id;
    },
    findCutOff: (source, since, after) => findCutOff(knex, source, since, after),
    async readSightings(runId) {
      const ids: string[] = [];
      const unreadIds: string[] = [];
      for (let page = 0; ; page += 1) {
        const row = await knex<SightingsRow>('run_sightings').where({ run_id: runId, page }).first('*');
        if (row === undefined) return { ids, unreadIds };
        for (const id of row.ids) ids.push(id);
        for (const id of row.unread_ids) unreadIds.push(id);
      }
    },
    async keepPage(runId, page, now) {
      await inTransaction(knex, async (trx) => {
        await trx.raw(insertSightings, { run: runId, ids: [...page.ids], unread: [...page.unreadIds] });
        await trx('source_runs')
          .where({ id: runId })
          .update({
            ...figureColumns(page),
            etag: page.etag ?? null,
            watermark: page.watermark ?? null,
            next_cursor: page.nextCursor,
            page_kept_at: now,
          });
      });
    },
    async undo(runId) {
      await knex('source_runs').where({ id: runId, status: 'running' }).whereNull('next_cursor').delete();
    },
    async finish(runId, outcome, now) {
      await inTransaction(knex, async (trx) => {
        await trx('source_runs')
          .where({ id: runId })
          .update({
            ...figureColumns(outcome),
            status: outcome.status,
            finished_at: now,
            etag: outcome.etag ?? null,
            watermark: outcome.watermark ?? null,
            next_cursor: null,
            listings_retired: outcome.retired,
            problem: outcome.problem?.slice(0, 500) ?? null,
            problem_code: outcome.problemCode ?? null,
          });
        await trx('run_sightings').where({ run_id: runId }).delete();
        if (outcome.seenAt !== undefined) await trx.raw(markSeen, { run: runId, at: outcome.seenAt });
      });
    },
    async findLatest(sourceName, statuses, { whole = false } = {}) {
      const runs = knex<RunRow>('source_runs').where({ source_name: sourceName });
      if (whole) void runs.whereNull('since');
      const row = await runs
        .whereIn('status', [...statuses])
        .orderBy('id', 'desc')
        .first('*');
      if (row === undefined) return undefined;
      return {
        status: row.status,
        startedAt: row.started_at,
        etag: row.etag ?? undefined,
        accepted: row.rows_accepted,
        since: row.since ?? undefined,
        watermark: row.watermark ?? undefined,
      };
    },
    async findWatermark({ name, configuration }) {
      const row = await knex<RunRow>('source_runs')
        .where({ source_name: name, status: 'completed' })
        .whereRaw(sawAllChanges)
        .orderBy('id', 'desc')
        .first('*');
      return row?.configuration === (configuration ?? null) ? (row.watermark ?? undefined) : undefined;
    },
  };
}

async function findCutOff(
  knex: Knex,
  { name, configuration }: ConfiguredSource,
  since: string | undefined,
  after: Date,
): Promise<CutOffRun | undefined> {
  const row = await knex<RunRow>('source_runs')
    .where({ source_name: name, status: 'running' })
    .whereNotNull('next_cursor')
    .where('page_kept_at', '>', after)
    .orderBy('id', 'desc')
    .first('*');
  if (row === undefined || row.next_cursor === null) return undefined;
  if (row.since !== (since ?? null) || row.configuration !== (configuration ?? null)) return undefined;
  return {
    runId: row.id,
    startedAt: row.started_at,
    nextCursor: row.next_cursor,
    etag: row.etag ?? undefined,
    watermark: row.watermark ?? undefined,
    accepted: row.rows_accepted,
    rejected: row.rows_rejected,
    created: row.listings_created,
  };
}

function figureColumns({ accepted, rejected, created }: RunFigures) {
  return { rows_accepted: accepted, rows_rejected: rejected, listings_created: created };
}

interface RunRow {
  readonly id: number;
  readonly source_name: string;
  readonly status: RunStatus;
  readonly started_at: Date;
  readonly etag: string | null;
  readonly rows_accepted: number;
  readonly rows_rejected: number;
  readonly listings_created: number;
  readonly since: string | null;
  readonly next_cursor: string | null;
  readonly page_kept_at: Date | null;
  readonly watermark: string | null;
  readonly configuration: string | null;
}

interface SightingsRow {
  readonly run_id: number;
  readonly page: number;
  readonly ids: readonly string[];
  readonly unread_ids: readonly string[];
}

const insertSightings = `
  insert into run_sightings (run_id, page, ids, unread_ids)
  select :run, count(*), cast(:ids as uuid[]), cast(:unread as uuid[]) from run_sightings where run_id = :run`;

const forgetSightings = `
  delete from run_sightings where run_id in (
    select id from source_runs where source_name = :source and status = 'running')`;

const markSeen = `
  update sources set seen_at = greatest(seen_at, :at)
  where name = (select source_name from source_runs where id = :run)`;
