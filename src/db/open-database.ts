import type { Log } from '../log.js';
import type { PostgresOptions } from './create-knex.js';
import type { Database } from './database.js';
import { openEmbedded } from './open-embedded.js';
import { openPostgres } from './open-postgres.js';

/** A PostgreSQL server by URL, or an embedded database in a local directory. */
export type DatabaseOptions = PostgresOptions | { readonly directory: string };

/**
 * Opens the database and updates its schema. Close it when done.
 *
 * @throws OperatorError saying what to do, when the database is unreachable or too old, or another process holds the
 *   directory
 */
export async function openDatabase(options: DatabaseOptions, log: Log): Promise<Database> {
  return 'url' in options ? openPostgres(options, log) : openEmbedded(options.directory, log);
}
