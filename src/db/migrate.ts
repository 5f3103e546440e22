import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';
import { OperatorError } from '../errors.js';
import { findProjectFile } from '../project-file.js';
import { inTransaction } from './transaction.js';

interface NamedMigration extends Knex.Migration {
  readonly name: string;
}

const initialSchema = readFileSync(findProjectFile('src/db/migrations/001-initial.sql'), 'utf8');

/**
 * Every schema change, in order. The database stores the names: never rename a released one. Before 1.0.0 the first
 * name contains a digest of its SQL, to recognize databases of earlier drafts.
 */
export const migrations: readonly NamedMigration[] = [
  { name: `001-initial-${digestOf(initialSchema)}`, up: (knex) => knex.raw(initialSchema) },
];

/** Any number works, as long as every instance uses the same one. */
const lockKey = 402_000_001;

/**
 * Updates the schema and returns the migrations that ran. Everything runs in one transaction under a lock: instances
 * that start together migrate once, and an instance killed midway changes nothing.
 *
 * @throws OperatorError when the database has another draft of the schema
 */
export async function migrate(knex: Knex, list: readonly NamedMigration[] = migrations): Promise<string[]> {
  return inTransaction(knex, async (transaction) => {
    // Waiting for another instance, or building a large index, may exceed the normal timeouts.
    await transaction.raw('set local statement_timeout = 0');
    await transaction.raw('set local lock_timeout = 0');
    await transaction.raw('select pg_advisory_xact_lock(?)', [lockKey]);
    const pending = await readPending(transaction, list);
    if (pending === undefined) throw new OperatorError(otherDraft);
    if (pending.length === 0) return [];
    const [, done] = (await transaction.migrate.latest({ migrationSource: sourceOf(list) })) as [number, string[]];
    return done;
  });
}

/**
 * The names of the migrations that are due: all of `list` where there is no table of them yet. Undefined where the
 * database has others.
 */
export async function readPending(knex: Knex, list = migrations): Promise<readonly string[] | undefined> {
  const known = await readDone(knex);
  const isOther = known.some((name, index) => name !== list[index]?.name);
  return isOther ? undefined : list.slice(known.length).map(({ name }) => name);
}

const otherDraft =
  'This database was made by an unreleased version of the service, or by a later one. Give the service an empty one: another ' +
  'DATABASE_URL, or without that another DATA_DIR (or remove the directory pg in it).';

/** Checked first: almost every start has nothing to migrate, and knex needs a dozen statements to find that. */
async function readDone(transaction: Knex): Promise<readonly string[]> {
  const { rows } = await transaction.raw<{ rows: { table: string | null }[] }>(
    `select to_regclass('knex_migrations') as "table"`,
  );
  if (rows[0]?.table === null) return [];
  return transaction<{ id: number; name: string }>('knex_migrations').orderBy('id').pluck('name');
}

/** A fixed list instead of a directory, so that source and compiled files behave the same. */
function sourceOf(list: readonly NamedMigration[]): Knex.MigrationSource<NamedMigration> {
  return {
    getMigrations: async () => [...list],
    getMigrationName: (migration) => migration.name,
    // knex requires a down migration. There is none: stored data is never removed.
    getMigration: async (migration) => ({
      down: () => Promise.reject(new Error('There is no down migration.')),
      ...migration,
    }),
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
