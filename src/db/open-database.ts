import type { Log } from '../log.js';
import { createPostgresKnex, type PostgresOptions } from './create-knex.js';
import { OperatorError } from '../errors.js';
import type { Database } from './database.js';
import { migrations, readSchema, refuseUnusable, type NamedMigration } from './migrate.js';
import { openAtLast } from './outage.js';
import { openPostgres } from './open-postgres.js';

/** A PostgreSQL server by URL, or an embedded database in a local directory. */
export type DatabaseOptions = Parameters<typeof openPostgres>[0] | { readonly directory: string };

/** What the configuration says of the database. */
export function databaseOptionsOf(config: {
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly databasePooler: PostgresOptions['pooler'];
  readonly migrateAtStart: boolean;
  readonly dataDirectory: string;
}): DatabaseOptions {
  const { databaseUrl: url, databasePoolSize: poolSize, databasePooler: pooler, migrateAtStart: migrates } = config;
  return url === undefined ? { directory: config.dataDirectory } : { url, poolSize, pooler, migrates };
}

/**
 * Opens the database and updates its schema. Close it when done.
 *
 * @throws OperatorError saying what to do, when the database is unreachable or too old, or another process holds the
 *   directory
 */
export async function openDatabase(options: DatabaseOptions, log: Log): Promise<Database> {
  if ('url' in options) return openPostgres(options, log);
  // Only where it is used: an installation for PostgreSQL does not have its program.
  const { openEmbedded } = await import('./open-embedded.js').catch(refuseEmbedded);
  return openEmbedded(options.directory, log);
}

/**
 * The migrations of a PostgreSQL: those that are due where it only looks, else those that were due before it ran them
 * all. A lock that another session holds is waited for as long as it takes.
 *
 * @throws OperatorError for the embedded database, and where this program cannot use the schema
 */
export async function migrateDatabase(
  options: DatabaseOptions,
  { onlyLooks, log }: { readonly onlyLooks: boolean; readonly log: Log },
): Promise<readonly NamedMigration[]> {
  if (!('url' in options)) throw new OperatorError('The embedded database is migrated when its server starts.');
  const knex = createPostgresKnex({ ...options, poolSize: 1 });
  try {
    const schema = await readSchema(knex);
    refuseUnusable(schema);
    const open = () => openPostgres({ ...options, migrates: true }, log);
    if (!onlyLooks) await (await openAtLast(open, { log, whenAway: async () => {} })).close();
    return migrations.filter(({ name }) => schema.pending.includes(name));
  } finally {
    await knex.destroy();
  }
}

function refuseEmbedded(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
    throw new OperatorError(
      'The embedded database is not part of this installation. Set DATABASE_URL to a PostgreSQL.',
    );
  throw error;
}
