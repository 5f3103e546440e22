import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { findProjectFile } from '../../src/project-file.js';

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

/** A database on a PostgreSQL server. */
export interface PostgresDatabase {
  readonly url: string;
  passLeases(): Promise<void>;
  /** Keeps a copy, in place of an earlier one. Nobody may be connected. */
  backUp(): Promise<void>;
  /** Puts the copy in its place. */
  restore(): Promise<void>;
  /** Puts an empty database in its place. */
  empty(): Promise<void>;
  drop(): Promise<void>;
}

/** A new database on a PostgreSQL server, whose commits survive an immediate stop of the server. */
export async function createPostgresDatabase(serverUrl: string): Promise<PostgresDatabase> {
  const name = `crash_${randomBytes(6).toString('hex')}`;
  const copy = `${name}_copy`;
  async function create(origin = 'template1'): Promise<void> {
    await administer(serverUrl, `create database ${name} template ${origin}`);
    await administer(serverUrl, `alter database ${name} set synchronous_commit = on`);
  }
  const drop = (each: string) => administer(serverUrl, `drop database if exists ${each} with (force)`);
  await create();
  const { href: url } = Object.assign(new URL(serverUrl), { pathname: `/${name}` });
  return {
    url,
    passLeases: () => passLeases(url),
    async backUp() {
      await drop(copy);
      await administer(serverUrl, `create database ${copy} template ${name}`);
    },
    async restore() {
      await drop(name);
      await create(copy);
    },
    async empty() {
      await drop(name);
      await create();
    },
    async drop() {
      await drop(name);
      await drop(copy);
    },
  };
}

/** As after a minute: the relayer keys and the payments of dead processes are free. */
export async function passLeases(url: string): Promise<void> {
  await administer(url, 'update relayer_leases set lease_until = now(); update payments set lease_until = now()');
}

/** Runs a statement on a connection of its own. */
export async function administer(url: string, statement: string): Promise<void> {
  await askDatabase(url, statement);
}

/** The rows of a question on a connection of its own. */
export async function askDatabase(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const knex = createPostgresKnex({ url });
  try {
    const { rows } = await knex.raw<{ rows: Record<string, unknown>[] }>(statement);
    return rows;
  } finally {
    await knex.destroy();
  }
}

/** Runs an action of .ci/postgres.sh; returns what it prints. `settings`: options of a server that it starts. */
export async function controlPostgres(action: string, args: readonly string[], settings = ''): Promise<string> {
  const env = { ...process.env, POSTGRES_SETTINGS: settings };
  const { stdout } = await promisify(execFile)('sh', [findProjectFile('.ci/postgres.sh'), action, ...args], { env });
  return stdout.trim();
}
