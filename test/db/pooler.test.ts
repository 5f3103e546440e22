import assert from 'node:assert/strict';
import { pino } from 'pino';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { openPostgres } from '../../src/db/open-postgres.js';
import { runNamed } from '../../src/db/sql/run-named.js';
import { find } from '../checks/look.js';
import { requireProgram } from '../support/nginx.js';
import { startPgbouncer, type Pgbouncer } from '../support/pgbouncer.js';
import { administer, createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';
import { deep } from '../support/depth.js';
import { startTestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';

const log = pino({ level: 'silent' });
const statements = 500;
const connections = 20;
const sales = deep(1_000, 50);
const buyers = 5;

describe('a database behind PgBouncer', function () {
  // A pure limit: a database is made.
  this.timeout(120_000);
  let database: PostgresDatabase;
  let pooler: Pgbouncer | undefined;

  before(async function () {
    const serverUrl = requirePostgres(this);
    requireProgram(this, 'pgbouncer');
    database = await createPostgresDatabase(serverUrl);
    await (await openPostgres({ url: database.url }, log)).close();
  });
  afterEach(async () => {
    await pooler?.stop();
    pooler = undefined;
  });
  after(async () => {
    await database?.drop();
  });

  async function behind(mode: Parameters<typeof startPgbouncer>[1]): Promise<string> {
    pooler = await startPgbouncer(database.url, mode);
    return pooler.url;
  }

  const run = (statement: string, url = database.url): Promise<void> => administer(url, statement);

  it('which pools by sessions is as without it: each session is prepared, and nothing is found', async () => {
    const url = await behind('session');
    const knex = createPostgresKnex({ url });
    try {
      const { rows } = await knex.raw<{ rows: unknown[] }>(
        "select current_setting('statement_timeout') as timeout, current_setting('jit') as jit",
      );
      assert.deepEqual(rows, [{ timeout: '30s', jit: 'off' }]);
    } finally {
      await knex.destroy();
    }
    for (const id of ['database.pooler', 'database.session'])
      assert.equal(await find(id, { DATABASE_URL: url }), undefined);
  });

  it('which pools by transactions is found, as often as it is looked at, until a setting says so', async () => {
    const url = await behind('transaction');
    for (let look = 0; look < 10; look++)
      assert.deepEqual(await find('database.pooler', { DATABASE_URL: url }), {
        sentence: 'A pooler before the database pools by transactions, and DATABASE_POOLER does not say so.',
        cure: 'DATABASE_POOLER=transaction',
      });
    const declared = { DATABASE_URL: url, DATABASE_POOLER: 'transaction' };
    assert.equal(await find('database.pooler', declared), undefined);
  });

  it('which pools by statements is refused, whatever a setting says', async () => {
    const url = await behind('statement');
    for (const DATABASE_POOLER of ['none', 'transaction'])
      assert.deepEqual(await find('database.pooler', { DATABASE_URL: url, DATABASE_POOLER }), {
        sentence: 'The pooler before the database pools by statements, and so allows no transactions.',
        cure: 'pool_mode = transaction in the pooler, and DATABASE_POOLER=transaction',
      });
  });

  it('needs defaults of its role, which are told as lines to copy, and found no more once they are given', async () => {
    const url = await behind('transaction');
    const declared = { DATABASE_URL: url, DATABASE_POOLER: 'transaction' };
    const lacking = await find('database.session', declared);
    assert.match(lacking?.sentence ?? '', /^Behind a pooler the role needs \d defaults that it lacks\.$/);
    const lines = (lacking?.cure ?? '').split('\n').filter((line) => line.startsWith('ALTER ROLE'));
    assert.ok(lines.length >= 5, lacking?.cure);
    for (const line of lines) await run(line);
    await pooler?.stop();
    assert.equal(await find('database.session', { ...declared, DATABASE_URL: await behind('transaction') }), undefined);
  });

  it(`answers ${statements} named statements at once over ${connections} connections, which are sent without names`, async () => {
    const url = await behind('transaction');
    const knex = createPostgresKnex({ url, poolSize: connections, pooler: 'transaction' });
    const statement = { name: 'square_of', text: 'select $1::int * $1::int as square' };
    try {
      const found = await Promise.all(
        Array.from({ length: statements }, async (_, each) => (await runNamed(knex, statement, [each])).rows),
      );
      assert.deepEqual(
        found,
        Array.from({ length: statements }, (_, each) => [{ square: each ** 2 }]),
      );
    } finally {
      await knex.destroy();
    }
  });

  for (const [mode, pooler] of [
    ['session', 'none'],
    ['transaction', 'transaction'],
  ] as const)
    it(`which pools by ${mode}s sells ${sales} times: each payment is claimed, settled and answered once`, async () => {
      const url = await behind(mode);
      const opened = await openPostgres({ url, pooler }, log);
      const environment = { UNPAID_CALLS_PER_MINUTE: '100000', PAID_CALLS_PER_PAYER: '10000' };
      const app = await startTestApp({ database: opened, settler: createInstantSettler(), environment });
      try {
        const isSettled = { state: 'settled' };
        const before = (await app.database.knex('payments').where(isSettled)).length;
        for (let sold = 0; sold < sales; sold += buyers) {
          const buying = Array.from({ length: buyers }, () => buy(`${app.url}/api/deals/hot`));
          for (const { status } of await Promise.all(buying)) assert.equal(status, 200);
        }
        assert.equal((await app.database.knex('payments').where(isSettled)).length, before + sales);
      } finally {
        await app.stop();
        await opened.close();
      }
    });
});
