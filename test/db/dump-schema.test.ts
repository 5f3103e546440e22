import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Database } from '../../src/db/database.js';
import { dumpSchema } from '../../src/db/dump-schema.js';
import { openTestDatabase } from '../support/database.js';
import { findProjectFile } from '../../src/project-file.js';

describe('dumpSchema', () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  it('equals src/db/schema.sql', async () => {
    const written = await readFile(findProjectFile('src/db/schema.sql'), 'utf8');
    const actual = await dumpSchema(database.knex);
    assert.equal(actual, written, 'src/db/schema.sql is not what the migrations make. Run: npm run db:schema');
  });

  it("lists columns, constraints, indexes and functions, without the schema's name", async () => {
    await database.knex.raw(`
      create table zz_parents (id bigint generated always as identity primary key);
      create table zz_children (
        parent bigint not null references zz_parents (id) on delete cascade,
        name text collate "C" default 'none',
        shout text generated always as (upper(name)) stored,
        amount numeric(12,2) not null,
        constraint zz_amount_check check (amount >= 0),
        unique (parent, name)
      ) with (fillfactor = 80);
      create index zz_children_name on zz_children (lower(name)) where amount > 0;
      create function zz_names() returns setof text language sql stable as 'select name from zz_children'`);
    const dump = await dumpSchema(database.knex);
    assert.equal(
      dump.slice(dump.indexOf('create table zz_'), dump.indexOf('CREATE OR REPLACE FUNCTION')),
      `create table zz_children (
  parent bigint not null,
  name text collate "C" default 'none'::text,
  shout text generated always as upper(name) stored,
  amount numeric(12,2) not null,
  constraint zz_children_parent_name_key UNIQUE (parent, name),
  constraint zz_children_parent_fkey FOREIGN KEY (parent) REFERENCES zz_parents(id) ON DELETE CASCADE,
  constraint zz_amount_check CHECK ((amount >= (0)::numeric))
) with (fillfactor=80);
CREATE INDEX zz_children_name ON zz_children USING btree (lower(name)) WHERE (amount > (0)::numeric);

create table zz_parents (
  id bigint generated always as identity not null,
  constraint zz_parents_pkey PRIMARY KEY (id)
);

`,
    );
    assert.equal(
      dump.slice(dump.indexOf('CREATE OR REPLACE FUNCTION zz_')),
      `CREATE OR REPLACE FUNCTION zz_names()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$select name from zz_children$function$;
`,
    );
    await database.knex.raw('drop function zz_names');
    await database.knex.raw('drop table zz_children, zz_parents');
  });
});
