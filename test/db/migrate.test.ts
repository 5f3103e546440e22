import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import type { Database } from '../../src/db/database.js';
import { migrate, migrations, readSchema, type NamedMigration } from '../../src/db/migrate.js';
import { openTestDatabase, openTestInstances, type TestInstances } from '../support/database.js';
import { requirePostgres } from '../support/postgres.js';

describe('migrate', () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  it('reports its migrations, and does nothing the second time', async () => {
    const list = [...migrations, creating('900-extra', 'extra')];
    assert.deepEqual(await migrate(database.knex, list), ['900-extra']);
    assert.deepEqual(await migrate(database.knex, list), []);
    await database.knex('extra').select();
  });

  it('rolls back a migration that fails half-way, with those before it, and can be repeated', async () => {
    const list = [...migrations, creating('900-extra', 'extra'), creating('901-good', 'good')];
    const failing = {
      ...creating('902-bad', 'bad'),
      up: async (knex: Knex): Promise<void> => {
        await knex.raw('create table bad (id int)');
        throw new Error('made up');
      },
    };
    await assert.rejects(migrate(database.knex, [...list, failing]), /made up/);
    assert.equal(await database.knex.schema.hasTable('good'), false);
    assert.equal(await database.knex.schema.hasTable('bad'), false);
    assert.deepEqual(await migrate(database.knex, list), ['901-good']);
  });

  it('gives each test its own database', async () => {
    const [one, two] = await Promise.all([openTestDatabase(), openTestDatabase()]);
    await one.knex.raw('create table only_here (id int)');
    assert.equal(await two.knex.schema.hasTable('only_here'), false);
    assert.equal(await two.knex.schema.hasTable('job_runs'), true);
    await Promise.all([one.close(), two.close()]);
  });

  it('refuses a database of another schema draft, and says what to do', async () => {
    const other = [creating('001-initial-0123456789ab', 'listings'), creating('002-more', 'more')];
    await assert.rejects(
      migrate(database.knex, other),
      /made by an unreleased version of the service.*Give the service an empty/,
    );
  });

  it('leaves a schema that programs of the release before can use, until what they use is dropped', async () => {
    const { knex, close } = await openTestDatabase();
    const second = { ...creating('002-second', 'second'), release: '1.1.0' };
    const third = { ...creating('003-third', 'third'), release: '1.2.0', oldest: { level: 2, release: '1.1.0' } };
    try {
      await migrate(knex, [...migrations, second]);
      assert.deepEqual(await migrate(knex), [], 'release 1.0.0 runs on');
      assert.deepEqual(await readSchema(knex), { pending: [], newer: 1, fault: undefined });
      await migrate(knex, [...migrations, second, third]);
      assert.deepEqual(await migrate(knex, [...migrations, second]), []);
      const tooNew =
        'The database has schema level 3 of release 1.2.0. This program (1.0.0) knows level 1; the oldest that can use it ' +
        'is 1.1.0. Nothing was changed. Start release 1.1.0 or a later one.';
      await assert.rejects(migrate(knex), { message: tooNew });
      assert.deepEqual(await migrate(knex, [...migrations, second, third]), []);
    } finally {
      await close();
    }
  });

  describe('by several instances', () => {
    let instances: TestInstances;
    before(async function () {
      requirePostgres(this);
      instances = await openTestInstances(2);
    });
    after(() => instances?.close());

    it('is taken over when the migrating instance is killed', async () => {
      const [killed, next] = instances.databases;
      assert.ok(killed && next);
      const list = migrations;
      let secondRun: Promise<string[]> | undefined;
      const dying = {
        ...creating('900-late', 'late'),
        up: async (knex: Knex): Promise<void> => {
          await knex.raw('create table late (id int)');
          secondRun = migrate(next.knex, [...list, creating('900-late', 'late')]);
          const { rows } = await knex.raw('select pg_backend_pid() as pid');
          await killed.knex.raw('select pg_terminate_backend(?)', [rows[0].pid]);
          await knex.raw('select 1');
        },
      };
      await assert.rejects(migrate(killed.knex, [...list, dying]));
      assert.deepEqual(await secondRun, ['900-late']);
    });
  });
});

function creating(name: string, table: string): NamedMigration {
  return {
    name,
    release: '1.0.1',
    up: async (knex) => knex.raw('create table ?? (id int)', [table]),
  };
}
