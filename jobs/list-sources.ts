import type { Database } from '../src/db/database.js';
import { judgeFreshness } from '../src/sources/judge-freshness.js';
import { readSources } from '../src/sources/read-sources.js';

const columns = ['source', 'kind', 'delivers', 'status', 'records', 'last success (utc)', 'last problem'] as const;

/** Every source that was ever configured, as rows of text, the names of the columns first. */
export async function listSources(
  { knex }: Pick<Database, 'knex'>,
  now: Date,
): Promise<readonly (readonly string[])[]> {
  const rows = (await readSources(knex)).map((source) => [
    source.name,
    source.kind,
    source.delivers,
    source.configured ? judgeFreshness(source, now) : source.refused ? 'refused' : 'taken out',
    String(source.records),
    source.lastSuccessAt?.toISOString().slice(0, 16).replace('T', ' ') ?? '-',
    source.lastProblem?.problem ?? '-',
  ]);
  return [columns, ...rows];
}
