import type { Knex } from 'knex';
import { inTransaction } from '../../db/transaction.js';
import { createImportReport, type ImportReport } from '../import-report.js';
import type { SourceErrorCode } from '../source-error.js';
import type { DeliveryKind, Source } from '../source.js';

// The runs of sources. One process at a time reads a source; the jobs see to that.

/** `abandoned`: the process ended before the run did, and the next run did not go on with it. */
export const runStatuses = ['running', 'abandoned', 'failed', 'unchanged', 'quarantined', 'completed'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** SQL that is true for a run that has seen all changes; not for one from a moment on that an operator named. */
export const sawAllChanges = '(watermark is not null or since is null)';

/** An earlier run. */
export interface EarlierRun {
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly etag: string | undefined;
  readonly accepted: number;
  /** The watermark it began at; undefined for a run that read the source whole. */
  readonly since: string | undefined;
}

export interface RunFigures {
  readonly accepted: number;
  readonly rejected: number;
  readonly created: number;
}

export interface RunOutcome extends RunFigures {
  readonly imported: ImportReport;
  readonly status: Exclude<RunStatus, 'running' | 'abandoned'>;
  readonly etag: string | undefined;
  readonly retired: number;
  readonly problem: string | undefined;
  /** Of a failed run, where the source was at fault. */
  readonly problemCode: SourceErrorCode | undefined;
  readonly watermark: string | undefined;
  /** When the source's whole set was seen; undefined when this run does not say so. */
  readonly seenAt: Date | undefined;
}

/** The state of a run after a page, and where the next page is. */
interface RunProgress extends RunFigures {
  readonly imported: ImportReport;
  readonly nextCursor: string;
  readonly etag: string | undefined;
  readonly watermark: string | undefined;
}

/** A page that was kept whole. */
export interface KeptPage extends RunProgress {
  readonly pageIds: readonly string[];
  readonly pageUnread: readonly string[];
}

/** A run whose process ended in the middle. */
export interface CutOffRun extends RunProgress {
  readonly runId: number;
  readonly startedAt: Date;
}

/** A source by its name, and how it is configured now. */
export type ConfiguredSource = Pick<Source<DeliveryKind>, 'name' | 'configuration'>;

/** Starts a run and gives up what an earlier process left running. Returns the run's id. */
export async function startRun(
  knex: Knex,
  { name, configuration }: ConfiguredSource,
  since: string | undefined,
  now: Date,
): Promise<number> {
  await knex.raw(forgetSightings, { source: name });
  await knex('source_runs')
    .where({ source_name: name, status: 'running' })
    .update({ status: 'abandoned', finished_at: now, problem: 'The process ended before the run did.' });
  const row = { source_name: name, started_at: now, status: 'running' };
  const rows: { id: number }[] = await knex('source_runs')
    .insert({ ...row, since: since ?? null, configuration: configuration ?? null })
    .returning('id');
  const [run] = rows;
  if (run === undefined) throw new Error('The database did not return the id of the new run.');
  return run.id;
}

/**
 * The run that was cut off after a page kept later than `after`, if it began at the same watermark, configured like
 * now.
 */
export async function findCutOffRun(
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
    imported: row.import_report ?? createImportReport(),
  };
}

/** Ids of what a run has shown so far (`seen`), and of what it could not read. */
export async function readSightings(knex: Knex, runId: number): Promise<{ seen: Set<string>; unread: Set<string> }> {
  const seen = new Set<string>();
  const unread = new Set<string>();
  for (let page = 0; ; page += 1) {
    const row = await knex<SightingsRow>('run_sightings').where({ run_id: runId, page }).first('*');
    if (row === undefined) return { seen, unread };
    for (const id of row.ids) seen.add(id);
    for (const id of row.unread_ids) unread.add(id);
  }
}

/** Saves a page with the state of its run: from here on the run can be continued. */
export async function keepPage(knex: Knex, runId: number, page: KeptPage, now: Date): Promise<void> {
  await inTransaction(knex, async (trx) => {
    await trx.raw(insertSightings, { run: runId, ids: [...page.pageIds], unread: [...page.pageUnread] });
    await trx('source_runs')
      .where({ id: runId })
      .update({ ...columnsOf(page), next_cursor: page.nextCursor, page_kept_at: now });
  });
}

/** Undoes a run that has kept no page, as if it had not begun. */
export async function undoRun(knex: Knex, runId: number): Promise<void> {
  await knex('source_runs').where({ id: runId, status: 'running' }).whereNull('next_cursor').delete();
}

export async function finishRun(knex: Knex, runId: number, outcome: RunOutcome, now: Date): Promise<void> {
  await inTransaction(knex, async (trx) => {
    await trx('source_runs')
      .where({ id: runId })
      .update({
        ...columnsOf(outcome),
        status: outcome.status,
        finished_at: now,
        next_cursor: null,
        listings_retired: outcome.retired,
        problem: outcome.problem?.slice(0, 500) ?? null,
        problem_code: outcome.problemCode ?? null,
      });
    await trx('run_sightings').where({ run_id: runId }).delete();
    await trx.raw(forgetOldReports, { run: runId });
    if (outcome.seenAt !== undefined) await trx.raw(markSeen, { run: runId, at: outcome.seenAt });
  });
}

/** The latest run of a source that has one of these statuses; `whole`: only runs that read all of it. */
export async function findLatestRun(
  knex: Knex,
  sourceName: string,
  statuses: readonly RunStatus[],
  { whole = false }: { readonly whole?: boolean } = {},
): Promise<EarlierRun | undefined> {
  const runs = knex<RunRow>('source_runs').where({ source_name: sourceName });
  if (whole) void runs.whereNull('since');
  const row = await runs
    .whereIn('status', [...statuses])
    .orderBy('id', 'desc')
    .first('*');
  if (row === undefined) return undefined;
  const { status, started_at: startedAt, etag, rows_accepted: accepted, since } = row;
  return { status, startedAt, etag: etag ?? undefined, accepted, since: since ?? undefined };
}

/** Where the latest completed run left off, except runs at the operator's word, if configured like now. */
export async function findWatermark(
  knex: Knex,
  { name, configuration }: ConfiguredSource,
): Promise<string | undefined> {
  const row = await knex<RunRow>('source_runs')
    .where({ source_name: name, status: 'completed' })
    .whereRaw(sawAllChanges)
    .orderBy('id', 'desc')
    .first('*');
  return row?.configuration === (configuration ?? null) ? (row.watermark ?? undefined) : undefined;
}

function columnsOf({ accepted, rejected, created, imported, etag, watermark }: Omit<RunProgress, 'nextCursor'>) {
  // A run that read no row says nothing.
  const report = accepted + rejected === 0 ? null : JSON.stringify(imported);
  const figures = { rows_accepted: accepted, rows_rejected: rejected, listings_created: created };
  return { ...figures, import_report: report, etag: etag ?? null, watermark: watermark ?? null };
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
  readonly import_report: ImportReport | null;
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

/** How many import reports of a source are kept. */
const keptReports = 10;

const forgetOldReports = `
  update source_runs set import_report = null
  where import_report is not null and id in (
    select r.id from source_runs r
    where r.source_name = (select source_name from source_runs where id = :run) and r.import_report is not null
    order by r.id desc offset ${keptReports})`;
