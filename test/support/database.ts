import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { PGlite } from '@electric-sql/pglite';
import { createEmbeddedKnex } from '../../src/db/create-embedded-knex.js';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import type { Database } from '../../src/db/database.js';
import { readEmptyCluster } from '../../src/db/empty-cluster.js';
import { migrate } from '../../src/db/migrate.js';
import { YieldingPglite } from '../../src/db/yielding-pglite.js';
import { installDatabaseClock } from './database-clock.js';
import { describeCreated, emptySchema, type CreatedSchema } from './empty-schema.js';

/**
 * Opens a fresh, migrated database for one test: embedded and in memory, or a schema of its own on PostgreSQL with
 * TEST_DATABASE_URL. Close it when done: an embedded one is emptied for the next test (booting takes seconds,
 * migrating a quarter of one).
 */
export async function openTestDatabase(): Promise<Database> {
  const { databases, close } = await openTestInstances(1);
  const [first] = databases;
  if (!first) throw new Error('No database was opened.');
  return { ...first, close };
}

/** One database for several instances of the service: a pool each on PostgreSQL, one shared pool embedded. */
export interface TestInstances {
  readonly databases: readonly Database[];
  close(): Promise<void>;
}

/** Opens a fresh database like `openTestDatabase`, for several instances. `close` ends all of them. */
export async function openTestInstances(count: number): Promise<TestInstances> {
  const url = process.env.TEST_DATABASE_URL;
  return url === undefined || url === '' ? openEmbedded(count) : openPostgres(url, count);
}

/** A booted database that no test uses now, with a schema as it was created. */
interface Spare {
  readonly pglite: YieldingPglite;
  readonly schema: CreatedSchema | undefined;
}

const spare: Spare[] = [];

/** Nothing survives a test, so little is logged; and a clock of its start would keep the process alive. */
const settings = ['wal_level=minimal', 'max_wal_senders=0', 'full_page_writes=off', 'log_startup_progress_interval=0'];
const startParams = [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])];

async function openEmbedded(count: number): Promise<TestInstances> {
  const { pglite, schema } = spare.pop() ?? { pglite: boot(), schema: undefined };
  // On a busy machine booting takes longer than the connection timeout.
  await pglite.waitReady;
  const name = schema?.name ?? randomSchema();
  const knex = createEmbeddedKnex(pglite, name);
  if (schema === undefined) await createSchema(knex, name);
  const created = schema ?? (await describeCreated(knex, name));
  const database = describe('embedded', knex);
  return {
    databases: Array.from({ length: count }, () => database),
    close: async () => {
      await installDatabaseClock(knex);
      const isAsCreated = await emptySchema(knex, created);
      if (!isAsCreated) await knex.raw('drop schema ?? cascade', [name]);
      // Its log would take up memory; in one process nothing else begins a new one.
      await knex.raw('checkpoint');
      await knex.destroy();
      spare.push({ pglite, schema: isAsCreated ? created : undefined });
    },
  };
}

function boot(): YieldingPglite {
  const cluster = readEmptyCluster();
  return new YieldingPglite({ ...(cluster && { loadDataDir: cluster }), startParams });
}

async function openPostgres(url: string, count: number): Promise<TestInstances> {
  const schema = randomSchema();
  const pools = Array.from({ length: count }, () => createPostgresKnex({ url, schema, poolSize: 4 }));
  const [first] = pools;
  if (!first) throw new Error('At least one instance is needed.');
  await createSchema(first, schema);
  return {
    databases: pools.map((pool) => describe('postgres', pool)),
    close: async () => {
      await first.raw('drop schema ?? cascade', [schema]);
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

async function createSchema(knex: Knex, schema: string): Promise<void> {
  await knex.raw('create schema ??', [schema]);
  await installDatabaseClock(knex);
  await migrate(knex);
}

function describe(kind: Database['kind'], knex: Knex): Database {
  return { kind, knex, maintain: async () => {}, close: async () => {} };
}

function randomSchema(): string {
  return `test_${randomBytes(8).toString('hex')}`;
}
