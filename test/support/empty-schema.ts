import type { Knex } from 'knex';
import { readFilledFeed } from './filled-feed.js';

/** A migrated schema before anything is written to it. */
export interface CreatedSchema {
  readonly name: string;
  /** Another text when a table, index, column, check or trigger comes or goes. */
  readonly shape: string;
  /** The rows that the migration writes, as JSON by table. */
  readonly rows: ReadonlyMap<string, string>;
}

export async function describeCreated(knex: Knex, name: string): Promise<CreatedSchema> {
  const { rows } = await readFilledFeed(knex, new Date());
  return { name, shape: await readShape(knex), rows };
}

/**
 * Leaves a schema as it was created: rows, sequences and statistics. Changes nothing and returns false where a test has
 * changed more than rows.
 */
export async function emptySchema(knex: Knex, { name, shape, rows }: CreatedSchema): Promise<boolean> {
  if ((await readShape(knex)) !== shape) return false;
  // To truncate costs a file for each index; most tables were never written to.
  const { rows: written } = await knex.raw<{ rows: { table: string }[] }>(
    `select format('%I', relname) as "table" from pg_class where relnamespace = to_regnamespace(?) and relkind = 'r'
      and pg_relation_size(oid) > 0 and relname not like 'knex\\_%'`,
    [name],
  );
  const restored = [...rows].map(([table, json]) =>
    knex.raw('insert into ?? select * from json_populate_recordset(null::??, ?);', [table, table, json]).toQuery(),
  );
  await knex.raw(`
    begin;
    truncate ${written.map(({ table }) => table).join(', ')};
    ${restored.join('\n')}
    select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      from pg_sequences where schemaname = '${name}' and sequencename not like 'knex\\_%';
    delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = to_regnamespace('${name}'));
    commit`);
  return true;
}

async function readShape(knex: Knex): Promise<string> {
  const { rows } = await knex.raw<{ rows: { shape: string }[] }>(`
    select string_agg(concat_ws(' ', oid, relnatts, relchecks, relhastriggers, reloptions), ',' order by oid) as shape
    from pg_class where relnamespace = to_regnamespace(current_schema())`);
  return rows[0]?.shape ?? '';
}
