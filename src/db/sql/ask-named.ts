import type { Knex } from 'knex';

/** A row as the database gives it: by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** Asks with named values (`:name`; casts are written CAST, since `::` would be taken for a name). */
export async function askNamed(knex: Knex, sql: string, values: Row = {}): Promise<readonly Row[]> {
  const { rows } = (await knex.raw(sql, values as Knex.ValueDict)) as { rows: Row[] };
  return rows;
}
