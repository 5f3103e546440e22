import type { Database } from '../src/db/database.js';
import { OperatorError } from '../src/errors.js';
import { judgeFreshness } from '../src/sources/judge-freshness.js';
import { type ImportReport, listCounts } from '../src/sources/import-report.js';
import { readRejects, type RejectsQuestion } from '../src/sources/rejects-reader.js';
import { readSourceStates, type SourceState } from '../src/sources/standings-reader.js';

const columns = [
  ...['source', 'kind', 'delivers', 'status', 'records', 'last success (utc)', 'last problem', 'last seen (utc, by)'],
] as const;

/** The table of the operator's `sources`: every source ever configured, the names of the columns first. */
export async function readSourceTable(
  { knex }: Pick<Database, 'knex'>,
  now: Date,
): Promise<readonly (readonly string[])[]> {
  const rows = (await readSourceStates(knex)).map((source) => [
    source.name,
    source.kind,
    source.delivers,
    statusOf(source, now),
    String(source.records),
    minuteOf(source.lastSuccessAt),
    source.lastProblem?.problem ?? '-',
    `${minuteOf(source.lastSeen?.at)} ${source.lastSeen?.by ?? ''}`.trim(),
  ]);
  return [columns, ...rows];
}

function statusOf(source: SourceState, now: Date): string {
  if (source.removed) return 'removed';
  if (source.refused) return 'refused';
  return source.unseenSince === undefined
    ? judgeFreshness(source, now)
    : `unseen since ${minuteOf(source.unseenSince)}`;
}

function minuteOf(at: Date | undefined): string {
  return at?.toISOString().slice(0, 16).replace('T', ' ') ?? '-';
}

/**
 * The table of the operator's `rejects`, the names of the columns first.
 *
 * @throws OperatorError when no such source was ever seen
 */
export async function readRejectTable(
  { knex }: Pick<Database, 'knex'>,
  question: RejectsQuestion,
): Promise<readonly (readonly string[])[]> {
  const rejects = await readRejects(knex, question);
  if (rejects === undefined)
    throw new OperatorError(`There is no source ${JSON.stringify(question.source)}. "sources" lists all.`);
  const rows = rejects.map(({ place, column, code, detail, text }) => [place, column, code, detail, text ?? '']);
  return [['place', 'column', 'code', 'expected', 'text'], ...rows];
}

/** How the values of each column were understood, a line each, and which columns no field reads. */
export function describeColumns({ columns, unmapped = [] }: ImportReport): string[] {
  const fields = Object.entries(columns).map(([field, { read, notStated, notUnderstood, codes, examples }]) => {
    const counts = `${field}: read ${read}, not stated ${notStated}, not understood ${notUnderstood}`;
    const texts = examples.map((example) => JSON.stringify(example)).join(', ');
    return [counts, ...(Object.keys(codes).length > 0 ? [`(${listCounts(codes)})`] : []), texts].join(' ').trim();
  });
  return unmapped.length === 0 ? fields : [...fields, `not mapped: ${unmapped.join(', ')}`];
}
