import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { OperatorError } from '../errors.js';
import { initialSchema, up } from './migrations/001-initial.js';
import { inTransaction } from './transaction.js';

interface NamedMigration extends Knex.Migration {
  readonly name: string;
}

/**
 * Every change of the schema, in order. The names are kept in the database: never rename one that was released. Until
 * 1.0.0 is released the first bears a digest of what it makes, so that a database of an earlier draft is told from one
 * of this.
 */
export const migrations: readonly NamedMigration[] = [{ name: `001-initial-${digestOf(initialSchema)}`, up }];

/** Any number will do, as long as every instance asks for the same one. */
const lockKey = 402_000_001;

/**
 * Brings the schema up to date and says which migrations ran. Everything happens in one transaction under a lock that
 * ends with it: instances that start together migrate once, and one that is killed half-way leaves no trace. Throws an
 * OperatorError for a database that another draft of the schema made.
 */
export async function migrate(knex: Knex, list: readonly NamedMigration[] = migrations): Promise<string[]> {
  return inTransaction(knex, async (transaction) => {
    // Both the wait for another instance and a large index may take longer than an ordinary statement may.
    await transaction.raw('set local statement_timeout = 0');
    await transaction.raw('set local lock_timeout = 0');
    await transaction.raw('select pg_advisory_xact_lock(?)', [lockKey]);
    const known = await readDone(transaction);
    if (known.some((name, index) => name !== list[index]?.name)) throw new OperatorError(otherDraft);
    if (known.length === list.length) return [];
    const [, done] = (await transaction.migrate.latest({ migrationSource: sourceOf(list) })) as [number, string[]];
    return done;
  });
}

const otherDraft =
  'This database was made by an unreleased version of the service, or by a later one. Give the service an empty one: another ' +
  'DATABASE_URL, or without that another DATA_DIR (or remove the directory pg in it).';

/** Asked first, since nothing is left to do at nearly every start, and knex takes a dozen statements to find that. */
async function readDone(transaction: Knex): Promise<readonly string[]> {
  const { rows } = await transaction.raw<{ rows: { table: string | null }[] }>(
    `select to_regclass('knex_migrations') as "table"`,
  );
  if (rows[0]?.table === null) return [];
  return transaction<{ id: number; name: string }>('knex_migrations').orderBy('id').pluck('name');
}

/** A fixed list instead of a directory, so that sources and compiled files behave the same. */
function sourceOf(list: readonly NamedMigration[]): Knex.MigrationSource<NamedMigration> {
  return {
    getMigrations: async () => [...list],
    getMigrationName: (migration) => migration.name,
    // knex wants a way back. There is none: what is kept is never taken away.
    getMigration: async (migration) => ({
      down: () => Promise.reject(new Error('There is no way back.')),
      ...migration,
    }),
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
