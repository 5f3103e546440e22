import type { Knex } from 'knex';

/**
 * Analyzes tables that have grown to several times their last known size. Until then the planner expects few ids to
 * match many rows and reads the whole table. PostgreSQL analyzes by itself only a minute later, the embedded database
 * only at maintenance.
 *
 * A table that cannot be analyzed now (locked, timed out, no permission) is skipped: queries are slower, never wrong.
 */
export async function analyzeGrown(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { table: string }[] }>(grownTables);
  for (const { table } of rows) await knex.raw('analyze (skip_locked) ??', [table]).catch(() => undefined);
}

/** Tables under four pages are skipped: their statistics matter little and soon change. */
const grownTables = `
  select relname as "table" from pg_class
  where relnamespace = to_regnamespace(current_schema()) and relkind = 'r'
    and pg_relation_size(oid) / cast(current_setting('block_size') as bigint) >= greatest(4, 4 * cast(relpages as bigint))`;
