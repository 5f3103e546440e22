import type { Log } from '../log.js';
import type { PostgresOptions } from './create-knex.js';
import type { Database } from './database.js';
import { openEmbedded } from './open-embedded.js';
import { openPostgres } from './open-postgres.js';

/** A PostgreSQL server by its address, or an embedded database in a directory of this machine. */
export type DatabaseOptions = PostgresOptions | { readonly directory: string };

/**
 * Opens the database and brings its schema up to date. Throws an OperatorError that says what to do when it cannot be
 * reached, is too old, or when another process holds the directory. Close it when done.
 */
export async function openDatabase(options: DatabaseOptions, log: Log): Promise<Database> {
  return 'url' in options ? openPostgres(options, log) : openEmbedded(options.directory, log);
}
