import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { analyzeGrown } from '../../src/db/analyze-grown.js';
import type { Database } from '../../src/db/database.js';
import { openTestDatabase } from '../support/database.js';

/** The same database, in which the chosen statements time out. */
function failing(knex: Knex, isFailing: (sql: string, bindings: readonly unknown[]) => boolean): Knex {
  const raw = (sql: string, bindings: readonly Knex.RawBinding[] = []) =>
    isFailing(sql, bindings)
      ? Promise.reject(Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }))
      : knex.raw(sql, bindings);
  return new Proxy(knex, { get: (target, name) => (name === 'raw' ? raw : Reflect.get(target, name)) });
}

describe('the renewal of table statistics', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    await database.knex.raw('create table grown (id integer)');
  });
  afterEach(() => database.close());

  const grow = (rows: number) =>
    database.knex.raw('insert into grown select * from generate_series(1, cast(:rows as integer))', { rows });
  /** Analyzes grown tables; returns their names. */
  const look = async (): Promise<string[]> => {
    const seen: string[] = [];
    const watch = ({ sql }: { sql: string }) => {
      const [, table] = /^analyze \(skip_locked\) "(.*)"$/.exec(sql) ?? [];
      if (table !== undefined) seen.push(table);
    };
    database.knex.on('query', watch);
    await analyzeGrown(database.knex);
    database.knex.removeListener('query', watch);
    return seen;
  };

  it('analyzes a table that has grown to several times its known size', async () => {
    await grow(10);
    assert.deepEqual(await look(), []);
    await grow(2_000);
    assert.deepEqual(await look(), ['grown']);
    await grow(2_000);
    assert.deepEqual(await look(), []);
    await grow(20_000);
    assert.deepEqual(await look(), ['grown']);
  });

  it('skips a table that cannot be analyzed, without failing the caller', async () => {
    await database.knex.raw('create table other_grown (id integer)');
    await grow(2_000);
    await database.knex.raw('insert into other_grown select * from grown');
    const tried: string[] = [];
    const knex = failing(database.knex, (sql, [table]) => {
      if (sql.startsWith('analyze')) tried.push(String(table));
      return table === 'grown';
    });
    await analyzeGrown(knex);
    assert.deepEqual(tried.sort(), ['grown', 'other_grown']);
    assert.deepEqual(await look(), ['grown']);
  });

  it('does not overflow at two billion pages', async () => {
    await grow(2_000);
    await database.knex.raw(`update pg_class set relpages = 2000000000 where oid = 'grown'::regclass`);
    assert.deepEqual(await look(), []);
  });
});
