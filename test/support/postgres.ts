import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { createPostgresKnex } from '../../src/db/create-knex.js';

/**
 * The PostgreSQL server's URL for tests that require one. Without TEST_DATABASE_URL the suite or test is skipped with a
 * message; `.ci/postgres.sh start <dir>` starts a server and prints the URL.
 */
export function requirePostgres(context: Mocha.Context): string {
  const url = process.env.TEST_DATABASE_URL;
  if (url !== undefined && url !== '') return url;
  process.stderr.write('    skipped: needs TEST_DATABASE_URL, which .ci/postgres.sh start <dir> prints\n');
  return context.skip();
}

/** A new database on a PostgreSQL server, whose commits survive an immediate stop of the server. */
export async function createPostgresDatabase(
  serverUrl: string,
): Promise<{ readonly url: string; passKeyLeases(): Promise<void>; drop(): Promise<void> }> {
  const name = `crash_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, `create database ${name}`);
  await administer(serverUrl, `alter database ${name} set synchronous_commit = on`);
  const { href: url } = Object.assign(new URL(serverUrl), { pathname: `/${name}` });
  return {
    url,
    /** As after half a minute: the relayer keys of dead processes are free. */
    passKeyLeases: () => administer(url, 'update relayer_leases set lease_until = now()'),
    drop: () => administer(serverUrl, `drop database ${name} with (force)`),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const knex = createPostgresKnex({ url }, pino({ level: 'silent' }));
  try {
    await knex.raw(statement);
  } finally {
    await knex.destroy();
  }
}
