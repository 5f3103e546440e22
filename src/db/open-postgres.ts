import type { Knex } from 'knex';
import { OperatorError } from '../errors.js';
import type { Log } from '../log.js';
import { createPostgresKnex, type PostgresOptions } from './create-knex.js';
import type { Database } from './database.js';
import { describeDue, migrate, migrations, readSchema, refuseUnusable } from './migrate.js';
import { NotYet } from './outage.js';

const oldestMajor = 15;

/**
 * Opens a PostgreSQL server of version 15 or newer; any number of instances may share it.
 *
 * @throws NotYet while its schema is to be updated, and another session holds a lock or `migrates` is false
 */
export async function openPostgres(
  options: PostgresOptions & { readonly migrates?: boolean },
  log: Log,
): Promise<Database> {
  const knex = createPostgresKnex(options);
  try {
    refuseOldServer(await readVersion(knex, options.url));
    const schema = await readSchema(knex);
    refuseUnusable(schema);
    const { pending, newer } = schema;
    if (pending.length > 0) await migrateShared(options, pending, log);
    if (newer > 0) log.info({ newer }, 'the schema is of a later release; this program can use it');
  } catch (error) {
    await knex.destroy();
    throw error;
  }
  return { kind: 'postgres', knex, maintain: async () => {}, close: () => knex.destroy() };
}

/** On connections of its own: what it does may take longer than anything else may. */
async function migrateShared(
  { migrates = true, ...options }: Parameters<typeof openPostgres>[0],
  pending: readonly string[],
  log: Log,
): Promise<void> {
  if (!migrates) {
    const { sentence, cure } = describeDue(pending);
    throw new NotYet(`${sentence} ${cure}`, 'due');
  }
  // One for the transaction, one to build an index beside it, one to look who is waited for.
  const knex = createPostgresKnex({ ...options, poolSize: 3, statementTimeoutMs: 0 });
  try {
    const done = await migrate(knex, migrations, true);
    if (done.length > 0) log.info({ migrations: done }, 'schema migrated');
  } finally {
    await knex.destroy();
  }
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
