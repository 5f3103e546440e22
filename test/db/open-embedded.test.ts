import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import type { Database } from '../../src/db/database.js';
import { openDatabase } from '../../src/db/open-database.js';
import { findProjectFile } from '../../src/project-file.js';
import { shortLived } from '../support/short-lived.js';

const log = pino({ level: 'silent' });

describe('openDatabase with a directory', () => {
  let parent: string;
  let directory: string;
  let open: Database[];

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'embedded-'));
    directory = join(parent, 'data');
    open = [];
  });
  afterEach(async () => {
    for (const database of open.splice(0)) await database.close();
  });
  after(() => rm(parent, { recursive: true, force: true }));

  async function openHere(): Promise<Database> {
    const database = await openDatabase({ directory }, log);
    open.push(database);
    return database;
  }

  describe('once', () => {
    let database: Database;
    before(async () => {
      database = await openDatabase({ directory }, log);
    });
    after(() => database.close());

    it('creates the directory for its owner only, with the schema', async () => {
      assert.equal(database.kind, 'embedded');
      assert.equal(await database.knex.schema.hasTable('job_runs'), true);
      for (const path of [directory, join(directory, 'pg')]) assert.equal((await stat(path)).mode & 0o777, 0o700, path);
    });

    it('lets timers run between consecutive statements', async () => {
      const { knex } = database;
      let fires = 0;
      const timer = setInterval(() => fires++, 5);
      for (let i = 0; i < 500; i++) await knex.raw('select 1');
      clearInterval(timer);
      assert.ok(fires > 0);
    });

    it('prepares a named statement again on a new connection, after an error and after an abandoned transaction', async () => {
      const { knex } = database;
      const named = (): Promise<unknown> => knex.raw('select 7 as seven').options({ name: 'seven' });
      await named();
      await named();
      await assert.rejects(async () => knex.raw('select * from nowhere'), { code: '42P01' });
      await knex.raw('begin');
      await knex.client.pool.destroy();
      knex.client.pool = undefined;
      knex.initialize();
      await named();
      await assert.rejects(async () => knex.raw('savepoint here'), /transaction block/);
    });
  });

  it('refuses a second opener, and lets it in after the first has closed, to committed rows after a maintenance', async () => {
    const first = await openHere();
    await assert.rejects(openHere(), { name: 'OperatorError', message: /in use by a running server/ });
    await first.knex.raw('create table kept (id int primary key, at date, amount numeric, raw bytea)');
    await first.knex('kept').insert({ id: 1, at: '2026-03-08', amount: '0.10', raw: Buffer.from([0, 255]) });
    await first.maintain();
    await first.close();
    const again = await openHere();
    assert.deepEqual(await again.knex('kept').select(), [
      { id: 1, at: '2026-03-08', amount: '0.10', raw: Buffer.from([0, 255]) },
    ]);
  });

  it('keeps every row that a killed process saw committed, and opens again', async () => {
    const script = findProjectFile('dist/test/db/embedded-child.js');
    const child = spawn(process.execPath, [shortLived, script, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    let last = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      last = Number(line);
      if (last === 50) child.kill('SIGKILL');
    }
    await exit;
    const database = await openHere();
    const { count } = (await database.knex('counted').count('id').first()) ?? {};
    assert.ok(Number(count) >= last, `${count} rows of ${last} that were reported`);
  });

  it('starts over when a first start was interrupted', async () => {
    const other = join(parent, 'interrupted');
    await mkdir(join(other, 'pg.new', 'base'), { recursive: true });
    await writeFile(join(other, 'pg.new', 'PG_VERSION'), '18\n');
    const database = await openDatabase({ directory: other }, log);
    open.push(database);
    assert.equal(await database.knex.schema.hasTable('job_runs'), true);
    assert.deepEqual((await readdir(other)).sort(), ['lock', 'pg']);
  });

  it("says what to do when the directory's database does not open, and releases the lock", async () => {
    const other = join(parent, 'strange');
    await mkdir(join(other, 'pg'), { recursive: true });
    await writeFile(join(other, 'pg', 'PG_VERSION'), '9\n');
    await assert.rejects(openDatabase({ directory: other }, log), {
      name: 'OperatorError',
      message: /PostgreSQL 9\) does not open.*DATA_DIR/,
    });
    assert.deepEqual(await readdir(other), ['pg']);
  });
});
