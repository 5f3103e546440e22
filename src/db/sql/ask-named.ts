import type { Knex } from 'knex';

/** A row by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs a query with named values (`:name`). Write casts as CAST, since `::` would read as a name. */
export async function askNamed(knex: Knex, sql: string, values: Row = {}): Promise<readonly Row[]> {
  const { rows } = (await knex.raw(sql, values as Knex.ValueDict)) as { rows: Row[] };
  return rows;
}
