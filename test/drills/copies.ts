import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireProgram } from '../support/nginx.js';
import {
  administer,
  askDatabase,
  controlPostgres,
  createPostgresDatabase,
  requirePostgres,
} from '../support/postgres.js';

/** A database that sells, and a copy of it that will take its place. */
export interface Copied {
  readonly url: string;
  /** Makes the copy, or begins it; sales go on meanwhile. */
  copy(): Promise<void>;
  /** What is sold from here on is not in the copy. */
  cut(): Promise<void>;
  /** Loses the database, and puts the copy in its place. Returns its address. */
  replace(): Promise<string>;
  drop(): Promise<void>;
}

/** Ways of an operator to keep a copy, by what happens to the database. */
export const waysToCopy: Readonly<Record<string, (context: Mocha.Context, directory: string) => Promise<Copied>>> = {
  'is dumped by pg_dump, and restored': dumped,
  'has a replica that gets no more of it, and is promoted': followed,
  'is archived by pgBackRest, and restored to a point in time': archived,
};

async function dumped(context: Mocha.Context, directory: string): Promise<Copied> {
  const { url, empty, drop } = await createPostgresDatabase(requirePostgres(context));
  const file = join(directory, 'deals.dump');
  return {
    url,
    copy: () => runNewest('pg_dump', '--format=custom', `--file=${file}`, url),
    cut: async () => undefined,
    async replace() {
      await empty();
      await runNewest('pg_restore', '--exit-on-error', '--no-owner', `--dbname=${url}`, file);
      return url;
    },
    drop,
  };
}

async function followed(context: Mocha.Context): Promise<Copied> {
  requirePostgres(context);
  const [primary, replica] = [makeDirectory(), makeDirectory()];
  const url = await controlPostgres('start', [primary]);
  let replicaUrl = '';
  return {
    url,
    async copy() {
      replicaUrl = await controlPostgres('follow', [replica, primary]);
    },
    async cut() {
      await administer(replicaUrl, "alter system set primary_conninfo = ''");
      await administer(replicaUrl, 'select pg_reload_conf()');
      await until(async () => (await askDatabase(replicaUrl, 'select from pg_stat_wal_receiver')).length === 0);
    },
    async replace() {
      await controlPostgres('halt', [primary]);
      await administer(replicaUrl, 'select pg_promote()');
      return replicaUrl;
    },
    async drop() {
      for (const each of [replica, primary]) await controlPostgres('stop', [each]);
    },
  };
}

async function archived(context: Mocha.Context): Promise<Copied> {
  requirePostgres(context);
  requireProgram(context, 'pgbackrest');
  const directory = makeDirectory();
  const options = [
    '--no-config',
    '--stanza=deals',
    `--pg1-path=${join(directory, 'data')}`,
    `--repo1-path=${join(directory, 'repository')}`,
    `--lock-path=${join(directory, 'lock')}`,
    '--log-level-file=off',
  ];
  const archive = `pgbackrest ${options.join(' ')} archive-push %p`;
  const settings = `-c unix_socket_directories=${directory} -c archive_mode=on -c 'archive_command=${archive}'`;
  const url = await controlPostgres('start', [directory], settings);
  const run = (...args: readonly string[]) => controlPostgres('run', [directory, 'pgbackrest', ...options, ...args]);
  const connect = [`--pg1-socket-path=${directory}`, `--pg1-port=${new URL(url).port}`, '--pg1-user=postgres'];
  let cut = '';
  return {
    url,
    async copy() {
      await run(...connect, 'stanza-create');
      await run(...connect, '--type=full', '--start-fast', 'backup');
    },
    async cut() {
      const [row] = await askDatabase(url, 'select pg_current_wal_insert_lsn()::text as lsn');
      cut = String(row?.['lsn']);
    },
    async replace() {
      const [row] = await askDatabase(url, 'select pg_walfile_name(pg_switch_wal()) as name');
      await until(async () => {
        const [archiver] = await askDatabase(url, 'select last_archived_wal as name from pg_stat_archiver');
        return String(archiver?.['name']) >= String(row?.['name']);
      });
      await controlPostgres('halt', [directory]);
      await run('--delta', '--type=lsn', `--target=${cut}`, '--target-action=promote', 'restore');
      await controlPostgres('resume', [directory], settings);
      await until(async () => (await askDatabase(url, 'select where pg_is_in_recovery()')).length === 0);
      return url;
    },
    drop: async () => void (await controlPostgres('stop', [directory])),
  };
}

const makeDirectory = (): string => mkdtempSync(join(tmpdir(), 'cluster-'));

/** What an archiver or a receiver does by itself has happened. */
async function until(hasHappened: () => Promise<boolean>): Promise<void> {
  while (!(await hasHappened())) continue;
}

/** A program of PostgreSQL's newest release that is installed here. */
export function findNewest(program: string): string {
  const releases = '/usr/lib/postgresql';
  const newest = readdirSync(releases).sort((one, other) => Number(other) - Number(one))[0] ?? '';
  return join(releases, newest, 'bin', program);
}

async function runNewest(program: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(findNewest(program), args);
}
