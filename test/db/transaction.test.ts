import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import { inTransaction } from '../../src/db/transaction.js';
import { openTestDatabase, openTestInstances } from '../support/database.js';

const atOnce = { random: () => 0 };

function raise(code: string): string {
  return `do $$ begin raise exception 'made up' using errcode = '${code}'; end $$`;
}

describe('inTransaction', () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
    await database.knex.schema.createTable('marks', (table) => {
      table.integer('mark');
    });
  });
  after(() => database.close());
  beforeEach(() => database.knex('marks').del());

  it('commits all of the work and returns its value', async () => {
    const value = await inTransaction(database.knex, async (transaction) => {
      await transaction('marks').insert({ mark: 1 });
      return 'done';
    });
    assert.equal(value, 'done');
    assert.deepEqual(await database.knex('marks').select(), [{ mark: 1 }]);
  });

  it('rolls back failing work, and passes its error on unchanged', async () => {
    const error = new Error('made up');
    const work = inTransaction(database.knex, async (transaction) => {
      await transaction('marks').insert({ mark: 1 });
      throw error;
    });
    await assert.rejects(work, (thrown) => thrown === error);
    assert.deepEqual(await database.knex('marks').select(), []);
  });

  for (const code of ['40001', '40P01']) {
    it(`repeats the whole work after ${code}`, async () => {
      let attempts = 0;
      await inTransaction(
        database.knex,
        async (transaction) => {
          attempts++;
          await transaction('marks').insert({ mark: attempts });
          if (attempts < 3) await transaction.raw(raise(code));
        },
        atOnce,
      );
      assert.deepEqual(await database.knex('marks').select(), [{ mark: 3 }]);
    });
  }

  it('gives up after its retries', async () => {
    let attempts = 0;
    const work = inTransaction(
      database.knex,
      async (transaction) => {
        attempts++;
        await transaction.raw(raise('40001'));
      },
      { ...atOnce, retries: 2 },
    );
    await assert.rejects(work, { code: '40001' });
    assert.equal(attempts, 3);
  });

  it('does not repeat work that failed for another reason', async () => {
    let attempts = 0;
    const work = inTransaction(database.knex, async (transaction) => {
      attempts++;
      await transaction.raw(raise('23505'));
    });
    await assert.rejects(work, { code: '23505' });
    assert.equal(attempts, 1);
  });

  it('resolves a real conflict of two serializable transactions', async function () {
    const { databases, close } = await openTestInstances(2);
    try {
      const [one, two] = databases;
      if (!one || !two || one.kind === 'embedded') this.skip(); // one session cannot conflict with itself
      await one.knex.raw('create table counters (id int primary key, value int)');
      await one.knex('counters').insert({ id: 1, value: 0 });
      const increment = async ({ knex }: Database): Promise<void> =>
        inTransaction(
          knex,
          async (transaction) => {
            const row = await transaction('counters').first<{ value: number }>();
            await transaction('counters').update({ value: row.value + 1 });
          },
          { retries: 20, isolation: 'serializable' },
        );
      await Promise.all([one, two, one, two, one, two].map(increment));
      assert.deepEqual(await one.knex('counters').select('value'), [{ value: 6 }]);
    } finally {
      await close();
    }
  });
});
