import type { Knex } from 'knex';
import type { RunStatus } from './run-store.js';
import { licenceOf, type LicenceRow } from './licence-reader.js';
import type { DeliveryKind, Licence } from './source.js';

/** What is known of a source: its licence, and how its runs went. */
export interface SourceState {
  readonly name: string;
  readonly kind: string;
  readonly delivers: DeliveryKind;
  readonly licence: Licence;
  /** False when the source is no longer in the configuration; its rows are withheld. */
  readonly configured: boolean;
  /** When a run last believed the source's whole set; undefined before the first. */
  readonly lastCompletedAt: Date | undefined;
  /** When a run last found the source in order, with a new delivery or without one. */
  readonly lastSuccessAt: Date | undefined;
  readonly lastRun:
    { readonly status: RunStatus; readonly startedAt: Date; readonly problem: string | undefined } | undefined;
  /** The latest run that failed or was quarantined, with its one plain sentence. */
  readonly lastProblem: { readonly at: Date; readonly problem: string } | undefined;
  /** Rows of the last believed set, and rows refused beside it. */
  readonly rows: number;
  readonly rejected: number;
  /** What of this source is current now: listings that are active, taxes that are not resolved, and so on; rents aside. */
  readonly records: number;
}

/** Reads all sources that were ever configured, by name. */
export async function readSources(knex: Knex): Promise<SourceState[]> {
  const { rows } = await knex.raw<{ rows: SourceRow[] }>(query);
  return rows.map((row) => ({
    name: row.name,
    kind: row.kind,
    delivers: row.delivers,
    licence: licenceOf(row),
    configured: row.configured,
    lastCompletedAt: row.completed_at ?? undefined,
    lastSuccessAt: row.success_at ?? undefined,
    lastRun:
      row.run_status === null || row.run_started_at === null
        ? undefined
        : { status: row.run_status, startedAt: row.run_started_at, problem: row.run_problem ?? undefined },
    lastProblem: row.problem_at === null ? undefined : { at: row.problem_at, problem: row.problem ?? '' },
    rows: row.rows_accepted ?? 0,
    rejected: row.rows_rejected ?? 0,
    records: Number(row.records),
  }));
}

interface SourceRow extends LicenceRow {
  readonly kind: string;
  readonly delivers: DeliveryKind;
  readonly configured: boolean;
  readonly completed_at: Date | null;
  readonly rows_accepted: number | null;
  readonly rows_rejected: number | null;
  readonly success_at: Date | null;
  readonly run_status: RunStatus | null;
  readonly run_started_at: Date | null;
  readonly run_problem: string | null;
  readonly problem_at: Date | null;
  readonly problem: string | null;
  readonly records: string;
}

const query = `
  select s.*, done.finished_at as completed_at, done.rows_accepted, done.rows_rejected, good.finished_at as success_at,
    last.status as run_status, last.started_at as run_started_at, last.problem as run_problem,
    bad.finished_at as problem_at, bad.problem,
    case s.delivers
      when 'listings' then (select count(*) from listing_sources l where l.source_name = s.name and l.active)
      when 'signals' then (select count(*) from signals i where i.source_name = s.name and i.resolved_at is null)
      when 'auctions' then (select count(*) from auctions a where a.source_name = s.name and a.missing_run_id is null)
      when 'parcels' then (select count(*) from parcels p where p.source_name = s.name and p.retired_at is null)
      else 0 end as records
  from sources s
  left join lateral (select * from source_runs r where r.source_name = s.name and r.status = 'completed'
    order by r.id desc limit 1) done on true
  left join lateral (select * from source_runs r where r.source_name = s.name and r.status in ('completed', 'unchanged')
    order by r.id desc limit 1) good on true
  left join lateral (select * from source_runs r where r.source_name = s.name order by r.id desc limit 1) last on true
  left join lateral (select * from source_runs r where r.source_name = s.name and r.status in ('failed', 'quarantined')
    order by r.id desc limit 1) bad on true
  order by s.name`;
