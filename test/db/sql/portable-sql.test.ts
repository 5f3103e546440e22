import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findProjectFile } from '../../../src/project-file.js';
import { findUnportable } from '../../support/portable-sql.js';

describe('the lint of statements', () => {
  const refused: Readonly<Record<string, readonly string[]>> = {
    'an advisory lock': ['select pg_advisory_xact_lock(1)', 'select pg_try_advisory_lock($1, 2)'],
    'LOCK TABLE': ['lock table leads in share mode'],
    'a system column': ['delete from t where ctid = any(array(select ctid from t limit 5))', 'select t.xmin from t'],
    'a function': [`create function f() returns int language sql as 'select 1'`],
    DO: [`do $$ begin null; end $$`],
    'a trigger': ['create trigger t before insert on t execute function f()'],
    LISTEN: ['listen news'],
    NOTIFY: ['notify news'],
    PREPARE: ['prepare p as select 1'],
    'a temporary table': [
      'create temporary table t (id int primary key)',
      'select 1 into temp t',
      'create temp table t as select 1',
    ],
    'SET of a session': [`set jit = 'off'`, `select 1; set TimeZone = 'UTC'`],
    'a table without a primary key': ['create table t (id int unique)'],
    'a cast to a date without a zone': ['select seen_at::date from t', 'order by cast(now() as date)', 'now()::date'],
  };
  for (const [construct, statements] of Object.entries(refused))
    it(`finds ${construct}`, async () => {
      for (const each of statements) assert.ok((await findUnportable(each)).includes(construct), each);
    });

  it('finds nothing in what every engine has, as a statement or as a part of one', async () => {
    const portable = [
      `set local lock_timeout = '2s'`,
      'create table t (id int primary key)',
      'create table t (a int, b int, primary key (a, b))',
      `select (seen_at at time zone 'UTC')::date, $1::date, '2026-03-08'::date from t for update`,
      'count(*)::int as n',
      'a.id = b.id and $1',
      'order by a nulls last',
    ];
    for (const each of portable) assert.deepEqual(await findUnportable(each), [], each);
    await assert.rejects(findUnportable('select from where'), /cannot be parsed/);
  });

  it('finds in the schema functions and one DO, and one table of a single number', async () => {
    const schema = readFileSync(findProjectFile('src/db/migrations/001-initial.sql'), 'utf8');
    assert.deepEqual([...(await findUnportable(schema))].sort(), ['DO', 'a function', 'a table without a primary key']);
  });
});
