import type { Knex } from 'knex';

/** Rows of a filled feed, as JSON by table. */
export interface FilledFeed {
  readonly at: Date;
  readonly rows: ReadonlyMap<string, string>;
}

/** Properties of the database and of who has it open, not of its content. */
const own = ['knex_migrations', 'knex_migrations_lock', 'server_keys', 'instances', 'relayer_leases'];

/** Reads the content of a filled database. */
export async function readFilledFeed(knex: Knex, at: Date): Promise<FilledFeed> {
  const { rows: tables } = await knex.raw<{ rows: { name: string }[] }>(
    'select tablename as name from pg_tables where schemaname = current_schema() and tablename <> all(?)',
    [own],
  );
  const rows = new Map<string, string>();
  for (const { name } of tables) {
    const { rows: found } = await knex.raw<{ rows: { rows: string | null }[] }>(
      'select json_agg(t)::text as rows from ?? t',
      [name],
    );
    if (found[0]?.rows) rows.set(name, found[0].rows);
  }
  return { at, rows };
}

/**
 * Writes it into an empty database at once, as a publication is written: the same as reading and publishing again, in a
 * twentieth of the time. An embedded database has one session, so temporary tables keep the rows for the next test.
 */
export async function writeFilledFeed(knex: Knex, { at, rows }: FilledFeed): Promise<void> {
  const keptOf = (name: string): string => `filled_${at.getTime()}_${name}`;
  await knex.transaction(async (transaction) => {
    const { rows: found } = await transaction.raw<{ rows: { name: string }[] }>(
      'select relname as name from pg_class where relnamespace = pg_my_temp_schema()',
    );
    const kept = new Set(found.map(({ name }) => name));
    for (const [name, json] of rows) {
      if (!kept.has(keptOf(name))) {
        const from = 'create temporary table ?? as select * from json_populate_recordset(null::??, ?)';
        await transaction.raw(from, [keptOf(name), name, json]);
      }
      await transaction(name).delete();
      await transaction.raw('insert into ?? select * from ??', [name, keptOf(name)]);
    }
    await transaction.raw("select setval('source_runs_id_seq', (select max(id) from source_runs))");
  });
}
