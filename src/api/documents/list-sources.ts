import type { ImportReport as WireImport, SourceState as WireSource } from '../../../generated/types.gen.js';
import { judgeFreshness, promisedEveryHours } from '../../sources/judge-freshness.js';
import { createOnceAMinute } from '../../operations/once-a-minute.js';
import type { SourceState } from '../../sources/standings-reader.js';
import { type DeliveryKind, isLicenceInForce } from '../../sources/source.js';
import type { RatesAt } from '../../underwriting/mortgage-rates.js';
import { judgeUnderwriting } from '../../underwriting/underwriting-health.js';
import type { Handler } from '../handler.js';
import { sourceProblemToWire } from '../../records/source-problem.js';
import { underwritingToWire } from '../../records/underwriting-state.js';

export interface SourcesPorts {
  readonly readSources: () => Promise<readonly SourceState[]>;
  /** When the oldest published underwriting was made. */
  readonly readOldestUnderwriting: () => Promise<Date | undefined>;
  /** The next reading of sources of a kind; undefined when no job reads them. */
  readonly nextRunOf: (delivers: DeliveryKind, now: Date) => Date | undefined;
  readonly ratesAt: RatesAt;
  readonly now: () => Date;
}

/**
 * GET /api/sources: the state of every source ever configured, except those that an operator removed, and of the
 * underwriting. It is read at most once a minute, so that repeated requests do not count records again.
 */
export function createListSources(ports: SourcesPorts): Handler<'listSources'> {
  const { readSources, readOldestUnderwriting, nextRunOf, ratesAt, now } = ports;
  const readOnce = createOnceAMinute(async (at) => {
    const [all, oldestAt] = await Promise.all([readSources(), readOldestUnderwriting()]);
    return { at, all, underwriting: judgeUnderwriting(oldestAt, ratesAt(at), at) };
  }, now);
  return async () => {
    const { at, all, underwriting } = await readOnce();
    const sources = all.filter(({ removed }) => !removed);
    return {
      status: 200,
      body: {
        generated_at: at.toISOString(),
        underwriting: underwritingToWire(underwriting),
        sources: sources.map((source) => toWire(source, nextRunOf(source.delivers, at), at)),
      },
    };
  };
}

const notYet = { reason: 'not_yet_observed' } as const;

function toWire(source: SourceState, nextRun: Date | undefined, now: Date): WireSource {
  const { licence, lastSuccessAt, lastProblem, lastImport, lastSeen, unseenSince } = source;
  const isInForce = lastSeen !== undefined && licence.mayStore && licence.mayResell && isLicenceInForce(licence, now);
  return {
    name: source.name,
    kind: source.kind,
    delivers: source.delivers,
    licence_class: licence.class,
    attribution: licence.attribution,
    in_force: isInForce,
    ...(unseenSince !== undefined && { unseen_since: unseenSince.toISOString() }),
    status: judgeFreshness(source, now),
    promised_every_hours: promisedEveryHours(source.delivers),
    rows: source.rows,
    records: source.records,
    last_success: lastSuccessAt?.toISOString() ?? null,
    last_error: lastProblem === undefined ? null : sourceProblemToWire(lastProblem),
    ...(lastImport !== undefined && { last_import: importToWire(lastImport) }),
    next_run: nextRun?.toISOString() ?? null,
    absent: {
      ...(lastSuccessAt === undefined && { last_success: notYet }),
      ...(lastProblem === undefined && { last_error: notYet }),
      ...(nextRun === undefined && { next_run: notYet }),
    },
  };
}

/** Counts only: the texts of a delivery are for its operator. */
function importToWire({ at, report }: NonNullable<SourceState['lastImport']>): WireImport {
  const columns = Object.entries(report.columns).map(([field, { read, notStated, notUnderstood, codes }]) => {
    const counts = { read, not_stated: notStated, not_understood: notUnderstood, codes: { ...codes } };
    return [field, counts];
  });
  const { accepted, refused } = report.rows;
  return { at: at.toISOString(), rows: { accepted, refused: { ...refused } }, columns: Object.fromEntries(columns) };
}
