import type { Knex } from 'knex';
import { OperatorError } from '../errors.js';
import type { Log } from '../log.js';
import { createPostgresKnex, type PostgresOptions } from './create-knex.js';
import type { Database } from './database.js';
import { migrate } from './migrate.js';

const oldestMajor = 15;

/** Opens a PostgreSQL server of version 15 or newer; any number of instances may share it. */
export async function openPostgres(options: PostgresOptions, log: Log): Promise<Database> {
  const knex = createPostgresKnex(options, log);
  try {
    const server = await readServer(knex, options.url);
    refuseOldServer(server.version);
    const difference = describeClockDifference(server.at, new Date());
    if (difference !== undefined) log.warn(difference);
    const done = await migrate(knex);
    if (done.length > 0) log.info({ migrations: done }, 'schema migrated');
  } catch (error) {
    await knex.destroy();
    throw error;
  }
  return { kind: 'postgres', knex, maintain: async () => {}, close: () => knex.destroy() };
}

interface Server {
  readonly version: number;
  /** Time of the server's clock. */
  readonly at: Date;
}

async function readServer(knex: Knex, url: string): Promise<Server> {
  try {
    const { rows } = await knex.raw<{ rows: [Server] }>(
      "select current_setting('server_version_num')::int as version, clock_timestamp() as at",
    );
    return rows[0];
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

/** Tolerated clock difference in seconds; includes the duration of the statement. */
const mostSeconds = 30;

/** How far this machine's clock differs from the database's, and the consequences; undefined within the tolerance. */
export function describeClockDifference(database: Date, here: Date): string | undefined {
  const seconds = Math.round((here.getTime() - database.getTime()) / 1000);
  if (Math.abs(seconds) < mostSeconds) return undefined;
  return (
    `The clock of this machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} that of the ` +
    'database. Correct them: a server with a wrong clock refuses payments as expired or not valid yet, and treats ' +
    'jobs and payments of other instances as abandoned.'
  );
}

/** Host and port without user or password. */
function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '(unreadable address)';
}
