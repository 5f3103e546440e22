import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { createEmbeddedKnex } from '../../src/db/create-embedded-knex.js';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { unpackEmptyCluster } from '../../src/db/empty-cluster.js';
import { migrate } from '../../src/db/migrate.js';
import { YieldingPglite } from '../../src/db/yielding-pglite.js';
import { findProjectFile } from '../../src/project-file.js';
import { deep } from '../support/depth.js';
import { createPostgresDatabase, requirePostgres } from '../support/postgres.js';
import { shortLived } from '../support/short-lived.js';
import { madeUpLevels } from './made-up-levels.js';

const networks = ['eip155:8453', 'eip155:84532'];

/** A database that can be put back to where the release before has left it. */
interface Stage {
  readonly place: string;
  /** Other sessions may use it. */
  readonly isShared: boolean;
  reset(): Promise<void>;
  use<Result>(work: (knex: Knex) => Promise<Result>): Promise<Result>;
}

async function fill(knex: Knex): Promise<void> {
  for (const network of networks) await knex('settlers').insert({ network, sender: Buffer.alloc(20, 7) });
}

/** All that the levels leave. */
async function readState(knex: Knex): Promise<unknown> {
  const { rows: columns } = await knex.raw(`
    select table_name, column_name, data_type from information_schema.columns
    where table_schema = current_schema() order by table_name, column_name`);
  const { rows: indexes } = await knex.raw(`
    select indexdef, indisvalid from pg_indexes join pg_index on indexrelid = to_regclass(quote_ident(indexname))
    where schemaname = current_schema() order by indexname`);
  return {
    columns,
    indexes,
    settlers: await knex('settlers').orderBy('network'),
    state: await knex('schema_state'),
    names: await knex('knex_migrations').orderBy('id').pluck('name'),
    lock: await knex('knex_migrations_lock').pluck('is_locked'),
  };
}

/** Kills a migration before its first, second, ... statement, and starts it again. */
async function assertEachStartFinishes(stage: Stage, each: number): Promise<void> {
  await stage.reset();
  const expected = await stage.use(async (knex) => {
    await migrate(knex, madeUpLevels, stage.isShared);
    return readState(knex);
  });
  let killed = 0;
  for (let dieAt = 1; ; dieAt += each) {
    await stage.reset();
    const script = findProjectFile('dist/test/db/migrating-child.js');
    const child = spawn(process.execPath, [shortLived, script, stage.place, String(dieAt)], { stdio: 'inherit' });
    const [, signal] = await once(child, 'exit');
    if (signal === null) break;
    killed++;
    await stage.use(async (knex) => {
      await migrate(knex, madeUpLevels, stage.isShared);
      assert.deepEqual(await readState(knex), expected, `killed before statement ${dieAt}`);
    });
  }
  assert.ok(killed * each > 20, `${killed} kills`);
}

describe('a migration that is killed at a statement is finished by the next start, and nothing is lost', function () {
  // A pure limit: a process is started for each statement.
  this.timeout(600_000);

  it('on the embedded database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'killed-migration-'));
    const [before, place] = [join(folder, 'before'), join(folder, 'now')];
    async function open<Result>(path: string, work: (knex: Knex) => Promise<Result>): Promise<Result> {
      const pglite = await YieldingPglite.create(path);
      const knex = createEmbeddedKnex(pglite);
      try {
        return await work(knex);
      } finally {
        await knex.destroy();
        await pglite.close();
      }
    }
    try {
      assert.ok(await unpackEmptyCluster(before), 'the build has made one');
      await open(before, fill);
      const reset = async (): Promise<void> => {
        await rm(place, { recursive: true, force: true });
        await cp(before, place, { recursive: true });
      };
      await assertEachStartFinishes({ place, isShared: false, reset, use: (work) => open(place, work) }, deep(1, 13));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('on PostgreSQL, where an index is built beside what goes on', async function () {
    const database = await createPostgresDatabase(requirePostgres(this));
    const use: Stage['use'] = async (work) => {
      const knex = createPostgresKnex({ url: database.url });
      try {
        return await work(knex);
      } finally {
        await knex.destroy();
      }
    };
    try {
      await use(async (knex) => {
        await migrate(knex);
        await fill(knex);
      });
      await database.backUp();
      const stage = { place: database.url, isShared: true, reset: () => database.restore(), use };
      await assertEachStartFinishes(stage, deep(1, 5));
    } finally {
      await database.drop();
    }
  });
});
