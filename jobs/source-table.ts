import type { Database } from '../src/db/database.js';
import { judgeFreshness } from '../src/sources/judge-freshness.js';
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
