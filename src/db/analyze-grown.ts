import type { Knex } from 'knex';

/**
 * Has the planner look at the tables that grew to several times what it knows of them. Until it has, it believes that a
 * few ids are many rows and reads the whole table for them; PostgreSQL looks by itself only a minute later, the
 * embedded database not before its maintenance. A table that cannot be looked at now, as under a lock, past a timeout
 * or without the right to it, is passed over: questions are then slower, never wrong.
 */
export async function analyzeGrown(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { table: string }[] }>(grownTables);
  for (const { table } of rows) await knex.raw('analyze (skip_locked) ??', [table]).catch(() => undefined);
}

/** Of fewer than four pages nothing can be learnt that matters, and much that will not hold. */
const grownTables = `
  select relname as "table" from pg_class
  where relnamespace = to_regnamespace(current_schema()) and relkind = 'r'
    and pg_relation_size(oid) / cast(current_setting('block_size') as bigint) >= greatest(4, 4 * cast(relpages as bigint))`;
