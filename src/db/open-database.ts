import type { Log } from '../log.js';
import type { PostgresOptions } from './create-knex.js';
import { OperatorError } from '../errors.js';
import type { Database } from './database.js';
import { openPostgres } from './open-postgres.js';

/** A PostgreSQL server by URL, or an embedded database in a local directory. */
export type DatabaseOptions = PostgresOptions | { readonly directory: string };

/** What the configuration says of the database. */
export function databaseOptionsOf(config: {
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly databasePooler: PostgresOptions['pooler'];
  readonly dataDirectory: string;
}): DatabaseOptions {
  const { databaseUrl: url, databasePoolSize: poolSize, databasePooler: pooler, dataDirectory: directory } = config;
  return url === undefined ? { directory } : { url, poolSize, pooler };
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

function refuseEmbedded(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
    throw new OperatorError(
      'The embedded database is not part of this installation. Set DATABASE_URL to a PostgreSQL.',
    );
  throw error;
}
