import assert from 'node:assert/strict';
import { analyzeGrown } from '../../src/db/analyze-grown.js';
import type { Database } from '../../src/db/database.js';
import { openTestDatabase } from '../support/database.js';

/** All that a test could find of an earlier one. */
async function readTraces({ knex }: Database): Promise<unknown> {
  const { rows } = await knex.raw(`
    select relname, relkind, relnatts, case relkind when 'r' then reltuples end, pg_relation_size(c.oid) > 0 as "hasPages",
      (select count(*) from pg_statistic where starelid = c.oid) as statistics,
      (select count(*) from pg_trigger where tgrelid = c.oid) as triggers
    from pg_class c where relnamespace = to_regnamespace(current_schema()) and relname not like 'knex%' order by relname`);
  const { rows: sequences } = await knex.raw(
    `select sequencename, last_value from pg_sequences where schemaname = current_schema() and sequencename not like 'knex%'`,
  );
  return { rows, sequences, numbers: await knex('takedown_number'), changes: await knex('feed_changes') };
}

describe('a test database', () => {
  const changes: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
    rows: async ({ knex }) => {
      await knex('takedown_number').update({ number: 7 });
      await knex('feed_changes').delete();
      await knex('source_runs').insert({ source_name: 'some', started_at: new Date(), status: 'completed' });
      const many = `insert into suppressed_records (id, feed, number) select gen_random_uuid(), 'deals', n
        from generate_series(1, 2000) as n`;
      await knex.raw(many);
      await analyzeGrown(knex);
    },
    tables: async ({ knex }) => knex.raw('create table left_here (id integer)'),
    columns: async ({ knex }) => knex.raw('alter table suppressed_records add column left_here integer'),
    triggers: async ({ knex }) => {
      await knex.raw(`create function left_here() returns trigger language plpgsql as 'begin return new; end'`);
      await knex.raw('create trigger left_here before insert on feed_versions execute function left_here()');
    },
  };
  for (const [what, change] of Object.entries(changes))
    it(`has nothing of the test before, which has left ${what}`, async () => {
      const first = await openTestDatabase();
      const expected = await readTraces(first);
      await change(first);
      await first.close();
      const second = await openTestDatabase();
      try {
        assert.deepEqual(await readTraces(second), expected);
      } finally {
        await second.close();
      }
    });
});
