import type { Knex } from 'knex';
import { OperatorError } from '../errors.js';
import type { Log } from '../log.js';
import { createPostgresKnex, type PostgresOptions } from './create-knex.js';
import type { Database } from './database.js';
import { migrate, readSchema } from './migrate.js';

const oldestMajor = 15;

/** Opens a PostgreSQL server of version 15 or newer; any number of instances may share it. */
export async function openPostgres(options: PostgresOptions, log: Log): Promise<Database> {
  const knex = createPostgresKnex(options);
  try {
    refuseOldServer(await readVersion(knex, options.url));
    const done = await migrate(knex);
    if (done.length > 0) log.info({ migrations: done }, 'schema migrated');
    const { newer } = await readSchema(knex);
    if (newer > 0) log.info({ newer }, 'the schema is of a later release; this program can use it');
  } catch (error) {
    await knex.destroy();
    throw error;
  }
  return { kind: 'postgres', knex, maintain: async () => {}, close: () => knex.destroy() };
}

async function readVersion(knex: Knex, url: string): Promise<number> {
  try {
    const { rows } = await knex.raw<{ rows: [{ readonly version: number }] }>(
      "select current_setting('server_version_num')::int as version",
    );
    return rows[0].version;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `Cannot connect to the PostgreSQL server ${placeOf(url)} in DATABASE_URL: ${why}. Check that it runs, that the ` +
        'database exists, and that user and password are right.',
      { cause: error },
    );
  }
}

/**
 * Rejects a server too old for the SQL used here. `version` as in server_version_num: 150004 for 15.4.
 *
 * @throws OperatorError when it is too old
 */
export function refuseOldServer(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major >= oldestMajor) return;
  throw new OperatorError(
    `The server in DATABASE_URL is PostgreSQL ${major}; version ${oldestMajor} or newer is needed. Upgrade it, point ` +
      'DATABASE_URL at a newer one, or leave DATABASE_URL empty to use the embedded database.',
  );
}

/** Host and port without user or password. */
function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '(unreadable address)';
}
