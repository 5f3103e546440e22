import type { Knex } from 'knex';

/** A refused row or a misread value, as an operator may see it. */
export interface Reject {
  /** The place in the file, or the row's key. */
  readonly place: string;
  /** Empty for a whole row. */
  readonly column: string;
  readonly code: string;
  /** What was expected. */
  readonly detail: string;
  /** Null for a whole row, and in a column of people. */
  readonly text: string | null;
}

export interface RejectsQuestion {
  readonly source: string;
  /** Only this column; undefined for all, whole rows included. */
  readonly column?: string | undefined;
  readonly limit: number;
}

/** What the last reading of a source that refused anything refused; undefined when no such source was ever seen. */
export async function readRejects(
  knex: Knex,
  { source, column, limit }: RejectsQuestion,
): Promise<readonly Reject[] | undefined> {
  if ((await knex('sources').where({ name: source }).first('name')) === undefined) return undefined;
  const { rows } = await knex.raw<{ rows: Reject[] }>(query, { source, column: column ?? null, limit });
  return rows;
}

const query = `
  select place, field as column, reason as code, detail, stated as text from rejects
  where source_name = :source and run_id = (
      select max(r.id) from source_runs r where r.source_name = :source and r.import_report is not null)
    and (cast(:column as text) is null or field = :column)
  order by last_seen_at, place, field limit :limit`;
