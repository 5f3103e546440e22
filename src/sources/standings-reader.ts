import type { Knex } from 'knex';
import { sawAllChanges, type RunStatus } from './ingest/run-store.js';
import type { ImportReport } from './import-report.js';
import type { SourceErrorCode } from './source-error.js';
import type { DeliveryKind, Licence } from './source.js';

/** What went wrong with a run of a source, or with its configuration. */
export interface SourceProblem {
  readonly at: Date;
  readonly status: Extract<RunStatus, 'failed' | 'quarantined'>;
  /** Undefined where the run ended for another reason than the source. */
  readonly code: SourceErrorCode | undefined;
  /** One plain sentence for the operator; it may name a server or a file. */
  readonly problem: string;
}

/** What is known of a source: its licence, and how its runs went. */
export interface SourceStanding {
  readonly name: string;
  readonly kind: string;
  readonly delivers: DeliveryKind;
  readonly licence: Licence;
  /** The instance that saw it last, and when; undefined where none ever did, as where it was refused from the start. */
  readonly lastSeen: { readonly by: string; readonly at: Date } | undefined;
  /** Since when no instance that looked has seen it. Its rows stay for sale as they were read last. */
  readonly unseenSince: Date | undefined;
  /** Whether an operator took it off sale. */
  readonly removed: boolean;
  /** Whether the configuration names it and is wrong about it; that is its last problem then. */
  readonly refused: boolean;
  /** When a run last believed the source's whole set; undefined before the first. */
  readonly lastCompletedAt: Date | undefined;
  /**
   * When a run last found the source in order, with a new delivery or without one; not one that left changes unread.
   */
  readonly lastSuccessAt: Date | undefined;
  readonly lastRun:
    { readonly status: RunStatus; readonly startedAt: Date; readonly problem: string | undefined } | undefined;
  /** The latest run that failed or was quarantined. */
  readonly lastProblem: SourceProblem | undefined;
  /** How the rows of its last reading that brought any were understood. */
  readonly lastImport: { readonly at: Date; readonly report: ImportReport } | undefined;
  /** Rows of the last believed set, and rows refused beside it. */
  readonly rows: number;
  readonly rejected: number;
}

/** Reads how all sources stand that were ever configured, by name. It costs the same however much they brought. */
export async function readStandings(knex: Knex): Promise<SourceStanding[]> {
  const { rows } = await knex.raw<{ rows: SourceRow[] }>(query);
  return rows.map((row) => ({
    name: row.name,
    kind: row.kind,
    delivers: row.delivers,
    licence: licenceOf(row),
    lastSeen: row.last_seen_at === null ? undefined : { by: row.last_seen_by ?? '', at: row.last_seen_at },
    unseenSince: row.removed_at === null ? (row.unseen_since ?? undefined) : undefined,
    removed: row.removed_at !== null,
    refused: row.refused_at !== null,
    lastCompletedAt: row.completed_at ?? undefined,
    lastSuccessAt: row.success_at ?? undefined,
    lastRun:
      row.run_status === null || row.run_started_at === null
        ? undefined
        : { status: row.run_status, startedAt: row.run_started_at, problem: row.run_problem ?? undefined },
    lastProblem: problemOf(row),
    lastImport:
      row.import_report === null || row.import_at === null
        ? undefined
        : { at: row.import_at, report: row.import_report },
    rows: row.rows_accepted ?? 0,
    rejected: row.rows_rejected ?? 0,
  }));
}

/** The standing of a source, and the number of its records. */
export interface SourceState extends SourceStanding {
  /** Its current records: active listings, unresolved taxes, rents of any year, and so on. */
  readonly records: number;
}

/** Reads all sources that were ever configured, by name, and counts their records. */
export async function readSourceStates(knex: Knex): Promise<SourceState[]> {
  const { rows } = await knex.raw<{ rows: { name: string; records: string }[] }>(countRecords);
  const records = new Map(rows.map((row) => [row.name, Number(row.records)]));
  return (await readStandings(knex)).map((source) => ({
    ...source,
    records: records.get(source.name) ?? 0,
  }));
}

function problemOf(row: SourceRow): SourceProblem | undefined {
  if (row.refused_at !== null)
    return { at: row.refused_at, status: 'failed', code: 'configuration_invalid', problem: row.refusal ?? '' };
  if (row.problem_at === null || row.problem_status === null) return undefined;
  const { problem_at: at, problem_status: status, problem_code: code, problem } = row;
  return { at, status, code: code ?? undefined, problem: problem ?? '' };
}

interface SourceRow extends LicenceRow {
  readonly kind: string;
  readonly delivers: DeliveryKind;
  readonly last_seen_by: string | null;
  readonly last_seen_at: Date | null;
  readonly unseen_since: Date | null;
  readonly removed_at: Date | null;
  readonly refused_at: Date | null;
  readonly refusal: string | null;
  readonly completed_at: Date | null;
  readonly rows_accepted: number | null;
  readonly rows_rejected: number | null;
  readonly success_at: Date | null;
  readonly run_status: RunStatus | null;
  readonly run_started_at: Date | null;
  readonly run_problem: string | null;
  readonly problem_at: Date | null;
  readonly problem_status: SourceProblem['status'] | null;
  readonly problem_code: SourceErrorCode | null;
  readonly problem: string | null;
  readonly import_report: ImportReport | null;
  readonly import_at: Date | null;
}

const query = `
  select s.*, done.finished_at as completed_at, done.rows_accepted, done.rows_rejected, good.finished_at as success_at,
    last.status as run_status, last.started_at as run_started_at, last.problem as run_problem,
    bad.finished_at as problem_at, bad.status as problem_status, bad.problem_code, bad.problem,
    imported.import_report, imported.finished_at as import_at
  from sources s
  left join lateral (select * from source_runs r where r.source_name = s.name and r.status = 'completed'
    and r.since is null order by r.id desc limit 1) done on true
  left join lateral (select * from source_runs r where r.source_name = s.name and r.status in ('completed', 'unchanged')
    and ${sawAllChanges} order by r.id desc limit 1) good on true
  left join lateral (select * from source_runs r where r.source_name = s.name order by r.id desc limit 1) last on true
  left join lateral (select * from source_runs r where r.source_name = s.name and r.status in ('failed', 'quarantined')
    order by r.id desc limit 1) bad on true
  left join lateral (select * from source_runs r where r.source_name = s.name and r.import_report is not null
    and r.finished_at is not null order by r.id desc limit 1) imported on true
  order by s.name`;

const countRecords = `
  select s.name,
    case s.delivers
      when 'listings' then (select count(*) from listing_sources l where l.source_name = s.name and l.active)
      when 'signals' then (select count(*) from signals i where i.source_name = s.name and i.resolved_at is null)
      when 'auctions' then (
        select count(*) from auctions a
        where a.source_name = s.name and a.missing_run_id is null and a.replaced_at is null)
      when 'parcels' then (select count(*) from parcels p where p.source_name = s.name and p.retired_at is null)
      when 'rents' then (select count(*) from hud_rents h where h.source_name = s.name)
      else 0 end as records
  from sources s`;

/** A source's licence as the database has it. */
interface LicenceRow {
  readonly name: string;
  readonly licence_class: Licence['class'];
  readonly may_store: boolean;
  readonly may_resell: boolean;
  readonly attribution: string;
  readonly undisplayed_fields: readonly string[];
  readonly expires_at: Date | null;
}

/** Puts a licence together. */
function licenceOf(row: LicenceRow): Licence {
  const licence = {
    class: row.licence_class,
    mayStore: row.may_store,
    mayResell: row.may_resell,
    attribution: row.attribution,
    undisplayedFields: row.undisplayed_fields,
  };
  return row.expires_at === null ? licence : { ...licence, expiresAt: row.expires_at };
}

/** The licences of all sources that were ever configured, by the source's name. */
export async function readLicencesByName(knex: Knex): Promise<ReadonlyMap<string, Licence>> {
  const rows = await knex<LicenceRow>('sources').select(
    'name',
    'licence_class',
    'may_store',
    'may_resell',
    'attribution',
    'undisplayed_fields',
    'expires_at',
  );
  return new Map(rows.map((row) => [row.name, licenceOf(row)]));
}
