import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Knex } from 'knex';
import { moveDatabase } from '../../src/db/move-database.js';
import { openEmbedded } from '../../src/db/open-embedded.js';
import { openPostgres } from '../../src/db/open-postgres.js';
import { OperatorError } from '../../src/errors.js';
import { startTestApp } from '../support/app.js';
import { administer, createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';

const log = pino({ level: 'silent' });
const left =
  /^(payments|payment_bodies|refunds|orphan_transfers|settlers|ledger_.*|relayer_.*|lead_holds|job_runs|instances|demand)$/;

/** Every row of every table, as text. */
async function readAll(knex: Knex): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows: tables } = await knex.raw<{ rows: { name: string }[] }>(
    'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
  );
  const all = new Map<string, string[]>();
  for (const { name } of tables.filter((each) => !each.name.startsWith('knex_'))) {
    const { rows } = await knex.raw<{ rows: { row: string }[] }>('select t::text as "row" from ?? as t order by 1', [
      name,
    ]);
    all.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return all;
}

describe('a demonstration that is moved to PostgreSQL', function () {
  const directory = mkdtempSync(join(tmpdir(), 'move-'));
  const targets: PostgresDatabase[] = [];
  let serverUrl: string;
  let stored: ReadonlyMap<string, readonly string[]>;

  before(async function () {
    serverUrl = requirePostgres(this);
    const database = await openEmbedded(directory, log);
    const app = await startTestApp({ database });
    const paid = { network: 'eip155:31337', sender: Buffer.alloc(20, 1) };
    await database.knex('settlers').insert(paid);
    await app.stop();
    stored = await readAll(database.knex);
    await database.close();
  });
  after(async () => {
    for (const target of targets) await target.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function makeTarget(): Promise<PostgresDatabase> {
    const target = await createPostgresDatabase(serverUrl);
    targets.push(target);
    return target;
  }

  const move = (to: string) => moveDatabase({ directory }, to, log, () => undefined);

  async function change<T>(use: (knex: Knex) => Promise<T>): Promise<T> {
    const { knex, close } = await openEmbedded(directory, log);
    try {
      return await use(knex);
    } finally {
      await close();
    }
  }

  async function assertRefused(to: string, sentence: RegExp): Promise<void> {
    await assert.rejects(move(to), (error) => error instanceof OperatorError && sentence.test(error.message));
  }

  it('has every row there but those of money, jobs and instances, and goes on from them', async () => {
    const target = await makeTarget();
    const { tables, rows } = await move(target.url);
    const { knex, close } = await openPostgres({ url: target.url }, log);
    try {
      const there = await readAll(knex);
      assert.deepEqual([...there.keys()], [...stored.keys()]);
      let count = 0;
      for (const [name, texts] of stored) {
        assert.deepEqual(there.get(name), left.test(name) ? [] : texts, name);
        if (!left.test(name) && name !== 'schema_state') count += texts.length;
      }
      assert.equal(rows, count);
      assert.ok(rows > 1_000 && tables > 20, `${tables} tables, ${rows} rows`);
      assert.ok((stored.get('settlers') ?? []).length > 0);
      // A new reading does not take the number of an older one.
      const [run] = await knex('source_runs')
        .insert({ source_name: 'new', started_at: new Date(0), status: 'running' })
        .returning<{ id: number }[]>('id');
      assert.equal(run?.id, (stored.get('source_runs') ?? []).length + 1);
    } finally {
      await close();
    }
    assert.deepEqual(await change(readAll), stored);
    await assertRefused(target.url, /^The database in --to is not empty: \w+ has rows\. Give it a new database\.$/);
  });

  it('is not moved while an instance uses it', async () => {
    const target = await makeTarget();
    const running = await openEmbedded(directory, log);
    await assertRefused(target.url, /is in use by a running server\. Stop that server/);
    const instance = { owner: 'one', name: 'shop-1', version: '1', host: 'h', ready: true, draining: false, beat: 1 };
    await running
      .knex('instances')
      .insert({ ...instance, started_at: running.knex.fn.now(), seen_at: running.knex.fn.now() });
    await running.close();
    await assertRefused(target.url, /^Instance shop-1 uses the database\. Stop every instance first; /);
    await change((knex) => knex('instances').delete());
  });

  it('is moved only to a PostgreSQL that answers and has the schema of this program', async () => {
    await assertRefused('deals', /^--to takes the address of a PostgreSQL: postgres:/);
    await assertRefused(
      'postgres://127.0.0.1:1/deals',
      /^--to: Cannot connect to the PostgreSQL server 127\.0\.0\.1:1 /,
    );
    const later = await makeTarget();
    await (await openPostgres({ url: later.url }, log)).close();
    await administer(
      later.url,
      `insert into knex_migrations (name, batch, migration_time) values ('002-later', 2, now())`,
    );
    await assertRefused(later.url, /schema of a later release\. Move with the program of that release\.$/);
  });

  it('is there as a whole or not at all', async () => {
    const target = await makeTarget();
    await (await openPostgres({ url: target.url }, log)).close();
    await administer(target.url, `alter table underwritten add check (assumptions = 'none of these')`);
    await assert.rejects(move(target.url), /underwritten/);
    const { knex, close } = await openPostgres({ url: target.url }, log);
    const filled = [...(await readAll(knex))].filter(([, rows]) => rows.length > 0).map(([name]) => name);
    await close();
    assert.deepEqual(filled, ['feed_changes', 'schema_state', 'takedown_number']);
  });
});
