import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import type { Database } from '../../src/db/database.js';
import { migrateDatabase, openDatabase } from '../../src/db/open-database.js';
import { openAtLast } from '../../src/db/outage.js';
import { refuseOldServer } from '../../src/db/open-postgres.js';
import { requirePostgres } from '../support/postgres.js';

const log = pino({ level: 'silent' });

describe('openDatabase with an address', () => {
  describe('on a server', () => {
    const schema = `test_${randomBytes(8).toString('hex')}`;
    let url: string;
    let open: Database[];

    before(async function () {
      url = requirePostgres(this);
      open = [];
      await administer(`create schema ${schema}`);
    });
    after(async () => {
      if (url === undefined) return;
      await Promise.all(open.map((database) => database.close()));
      await administer(`drop schema ${schema} cascade`);
    });

    async function administer(sql: string): Promise<void> {
      const knex = createPostgresKnex({ url });
      await knex.raw(sql);
      await knex.destroy();
    }

    it('says what is due, and waits for it where it may not migrate, until somebody does', async () => {
      const options = { url, schema };
      const names = async (onlyLooks: boolean) =>
        (await migrateDatabase(options, { onlyLooks, log })).map(({ name }) => name.slice(0, 12));
      assert.deepEqual(await names(true), ['001-initial-']);
      const told: string[] = [];
      let tries = 0;
      const opening = openAtLast(() => openDatabase({ ...options, migrates: false }, log), {
        log: { warn: (_fields: unknown, sentence?: string) => void told.push(sentence ?? '') },
        whenAway: async () => {},
        async pause() {
          if (++tries === 2) assert.deepEqual(await names(false), ['001-initial-']);
        },
      });
      open.push(await opening);
      assert.equal(tries, 2);
      assert.equal(told.length, 1);
      assert.match(
        told[0] ?? '',
        /^database\.schema: The database has schema level 0\. This program \(1\.0\.0\) needs level 1\. Due: 001-initial-\w+\. npm run cli -- migrate$/,
      );
      assert.deepEqual(await names(true), []);
      await administer(`drop schema ${schema} cascade`);
      await administer(`create schema ${schema}`);
    });

    it('migrates once when several instances start at once', async () => {
      const start = () => openDatabase({ url, schema, poolSize: 2 }, log);
      const starts = Array.from({ length: 5 }, () => openAtLast(start, { log, whenAway: async () => {} }));
      open.push(...(await Promise.all(starts)));
      const { rows } = await open[0]!.knex.raw('select name from knex_migrations order by id');
      const names: string[] = rows.map(({ name }: { name: string }) => name);
      assert.deepEqual(names, [...new Set(names)].sort());
      assert.ok(names.some((name) => name.startsWith('001-initial-')));
    });

    it('names itself to the server, uses UTC, reads dates unchanged, and times out slow statements', async () => {
      const database = await openDatabase({ url, schema, poolSize: 1, statementTimeoutMs: 200 }, log);
      open.push(database);
      const { rows } = await database.knex.raw(`
        select current_setting('application_name') as name, current_setting('TimeZone') as zone,
          date '2026-03-08' as day, 12345678901234567890.10::numeric as amount`);
      assert.deepEqual(rows, [
        { name: 'multifamily-deals-feed', zone: 'UTC', day: '2026-03-08', amount: '12345678901234567890.10' },
      ]);
      await assert.rejects(async () => database.knex.raw('select pg_sleep(20)'), { code: '57014' });
    });
  });

  it('says what to do when no server answers, without the password', async () => {
    const url = 'postgres://someone:hunter2@127.0.0.1:1/deals';
    await assert.rejects(openDatabase({ url, connectionTimeoutMs: 2000 }, log), (error: Error) => {
      assert.equal(error.name, 'OperatorError');
      assert.match(
        error.message,
        /Cannot connect to the PostgreSQL server 127\.0\.0\.1:1 in DATABASE_URL.*Check that it runs/,
      );
      assert.doesNotMatch(error.message, /hunter2|someone/);
      return true;
    });
  });

  it('refuses a server older than version 15, and accepts 15', () => {
    assert.throws(() => refuseOldServer(140_011), {
      name: 'OperatorError',
      message: /PostgreSQL 14; version 15 or newer/,
    });
    refuseOldServer(150_000);
  });
});
