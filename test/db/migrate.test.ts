import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import type { Database } from '../../src/db/database.js';
import { migrate, migrations, readSchema, type NamedMigration } from '../../src/db/migrate.js';
import { openAtLast } from '../../src/db/outage.js';
import { openTestDatabase, openTestInstances, type TestInstances } from '../support/database.js';
import { requirePostgres } from '../support/postgres.js';
import { madeUpLevels } from './made-up-levels.js';

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

  it('rolls back a migration that fails half-way, keeps those before it, and can be repeated', async () => {
    const list = [...migrations, creating('900-extra', 'extra'), creating('901-good', 'good')];
    const failing = {
      ...creating('902-bad', 'bad'),
      change: async (knex: Knex): Promise<void> => {
        await knex.raw('create table bad (id int)');
        throw new Error('made up');
      },
    };
    await assert.rejects(migrate(database.knex, [...list, failing]), /made up/);
    assert.equal(await database.knex.schema.hasTable('good'), true);
    assert.equal(await database.knex.schema.hasTable('bad'), false);
    assert.deepEqual(await migrate(database.knex, list), []);
    const all = [...list, creating('902-bad', 'bad')];
    assert.deepEqual(await migrate(database.knex, all), ['902-bad']);
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

    it('waits two seconds for a lock at most, names who holds it, and keeps nobody waiting longer', async () => {
      const [one, holder] = instances.databases;
      assert.ok(one && holder);
      const reading = await holder.knex.transaction();
      try {
        await reading('settlers').select();
        const { rows } = await reading.raw('select pg_backend_pid() as pid');
        const updating = migrate(one.knex, madeUpLevels, true);
        const message = `The schema cannot be updated: session ${rows[0].pid} holds a lock that it needs.`;
        const [, , tookMs] = await Promise.all([
          assert.rejects(updating, { name: 'OperatorError', why: 'locked', message }),
          waitUntilWaiting(holder, 'alter table settlers%'),
          timeRead(holder),
        ]);
        assert.ok(tookMs < 10_000, `a reader behind it waited for ${tookMs} ms`);
        assert.deepEqual((await readSchema(one.knex, madeUpLevels)).pending.length, 3, 'nothing has changed');
      } finally {
        await reading.rollback();
      }
      assert.deepEqual(
        await migrateAtLast(one, madeUpLevels),
        madeUpLevels.slice(1).map(({ name }) => name),
      );
    });

    it('builds an index while others write, and again where one was left half-built', async () => {
      const [one, other] = instances.databases;
      assert.ok(one && other);
      for (const each of ['a', 'a']) await one.knex('rejects').insert(rejectOf(each, Math.random()));
      await assert.rejects(
        async () => one.knex.raw('create unique index concurrently half_built on rejects (source_name)'),
        {
          code: '23505',
        },
      );
      const change = { index: 'half_built', on: 'rejects (source_name)' };
      const list = [...madeUpLevels, { name: '905-index', release: '1.2.0', does: 'makes an index', change }];
      const writing = await other.knex.transaction();
      await writing('rejects').insert(rejectOf('b', 0));
      const building = migrate(one.knex, list, true);
      await Promise.race([waitUntilWaiting(other, 'drop index concurrently%'), building]);
      await other.knex('rejects').insert(rejectOf('c', 0));
      await writing.commit();
      assert.deepEqual(await building, ['905-index']);
      const { rows } = await one.knex.raw(
        `select indisvalid, indisunique from pg_index where indexrelid = to_regclass('half_built')`,
      );
      assert.deepEqual(rows, [{ indisvalid: true, indisunique: false }]);
      assert.equal((await one.knex('rejects').select()).length, 4);
    });

    it('is taken over when the migrating instance is killed', async () => {
      const [killed, next] = instances.databases;
      assert.ok(killed && next);
      const list = [...madeUpLevels, { ...creating('905-index', 'none') }];
      let secondRun: Promise<string[]> | undefined;
      const dying = {
        ...creating('900-late', 'late'),
        change: async (knex: Knex): Promise<void> => {
          await knex.raw('create table late (id int)');
          secondRun = migrateAtLast(next, [...list, creating('900-late', 'late')]);
          const { rows } = await knex.raw('select pg_backend_pid() as pid');
          await killed.knex.raw('select pg_terminate_backend(?)', [rows[0].pid]);
          // The signal may come late; this ends with it.
          await knex.raw('select pg_sleep(60)');
        },
      };
      await assert.rejects(migrate(killed.knex, [...list, dying]));
      assert.deepEqual(await secondRun, ['900-late']);
    });
  });
});

/** As a start does. */
function migrateAtLast({ knex }: Database, list: readonly NamedMigration[]): Promise<string[]> {
  return openAtLast(() => migrate(knex, list, true), { log: { warn() {} }, whenAway: async () => {} });
}

/** Until a session waits for a lock with such a statement. */
async function waitUntilWaiting({ knex }: Database, statement: string): Promise<void> {
  for (let count = 0; count === 0;) {
    const { rows } = await knex.raw(
      `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and query like ?`,
      [statement],
    );
    count = rows[0].count;
  }
}

async function timeRead({ knex }: Database): Promise<number> {
  const begun = performance.now();
  await knex('settlers').select();
  return performance.now() - begun;
}

function rejectOf(source: string, key: number) {
  const at = new Date();
  return {
    ...{ source_name: source, row_key: String(key), field: '', reason: 'r', detail: '', place: '', run_id: 1 },
    ...{ first_seen_at: at, last_seen_at: at },
  };
}

function creating(name: string, table: string): NamedMigration {
  return {
    name,
    release: '1.0.1',
    does: 'makes a table',
    change: async (knex) => knex.raw('create table ?? (id int)', [table]),
  };
}
