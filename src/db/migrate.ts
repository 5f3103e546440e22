import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { OperatorError } from '../errors.js';
import { findProjectFile } from '../project-file.js';
import { NotYet } from './outage.js';
import { hasCode } from './sql/has-code.js';

/** A schema change. A release only drops what the release before it no longer uses. */
export interface NamedMigration {
  readonly name: string;
  /** The release that brings it. */
  readonly release: string;
  /** Where it drops something: the level and the release of the oldest program that can use what is left. */
  readonly oldest?: { readonly level: number; readonly release: string };
  /** What it does, and what it keeps from others meanwhile. */
  readonly does: string;
  /** Either statements in one transaction, or an index that is built while others go on. */
  readonly change: ((transaction: Knex) => Promise<unknown>) | { readonly index: string; readonly on: string };
}

const initialSchema = readFileSync(findProjectFile('src/db/migrations/001-initial.sql'), 'utf8');

/**
 * Every schema change, in order. The database stores the names: never rename a released one. Before 1.0.0 the first
 * name contains a digest of its SQL, to recognize databases of earlier drafts.
 */
export const migrations: readonly NamedMigration[] = [
  {
    name: `001-initial-${digestOf(initialSchema)}`,
    release: '1.0.0',
    does: 'makes all tables',
    change: async (transaction) => transaction.raw(initialSchema),
  },
];

/** How long a statement waits for a lock. Whoever comes after it waits as long. */
const lockTimeoutMs = 2_000;
const lookMs = 500;

/**
 * Updates the schema, each migration in one transaction, and returns those that ran. Instances that start together
 * migrate once; what one that is killed has left is finished by the next.
 *
 * @param isShared other sessions use the database, and this knex can have three: indexes are built while they go on
 * @throws NotYet while another session holds a lock that is needed: what has run by then stays
 * @throws OperatorError when the database has another draft of the schema, or one that is too new for this program
 */
export async function migrate(
  knex: Knex,
  list: readonly NamedMigration[] = migrations,
  isShared = false,
): Promise<string[]> {
  const done: string[] = [];
  for (;;) {
    const schema = await readSchema(knex, list);
    refuseUnusable(schema);
    const { pending } = schema;
    if (pending.length === 0) return done;
    try {
      done.push(...(await (isShared ? runBeside(knex, list) : runNext(knex, list, undefined))));
    } catch (error) {
      // Another instance was first.
      const { pending: left } = await readSchema(knex, list);
      if (left.length === pending.length) throw error;
    }
  }
}

/** Runs the next migration, while a second session looks who is waited for. */
async function runBeside(knex: Knex, list: readonly NamedMigration[]): Promise<string[]> {
  const over = new AbortController();
  let waitedFor: readonly number[] = [];
  async function lookOn(pid: number): Promise<void> {
    while (!over.signal.aborted) {
      const { rows } = await knex.raw<{ rows: [{ pids: number[] }] }>('select pg_blocking_pids(?) as pids', [pid]);
      if (rows[0].pids.length > 0) waitedFor = rows[0].pids;
      await delay(lookMs, undefined, { signal: over.signal });
    }
  }
  try {
    return await runNext(knex, list, (pid) => void lookOn(pid).catch(() => undefined));
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new NotYet(
      `The schema cannot be updated: ${waitedFor.length === 0 ? 'another session' : `session ${waitedFor.join(', ')}`} holds a lock that it needs.`,
      'locked',
      { cause: error },
    );
  } finally {
    over.abort();
  }
}

/** @param tellPid hears which session it has, where others go on; undefined where nobody else uses the database */
async function runNext(
  knex: Knex,
  list: readonly NamedMigration[],
  tellPid: ((pid: number) => void) | undefined,
): Promise<string[]> {
  return knex.transaction(async (transaction) => {
    await transaction.raw(
      `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
      set local lock_timeout = ${lockTimeoutMs}`,
    );
    const { rows } = await transaction.raw<{ rows: [{ pid: number }] }>('select pg_backend_pid() as pid');
    tellPid?.(rows[0].pid);
    const migrationSource = sourceOf(list, tellPid === undefined ? undefined : knex);
    const [, done] = (await transaction.migrate.up({ migrationSource })) as [number, string[]];
    const level = list.findIndex(({ name }) => name === done[0]) + 1;
    if (level === 0) return [];
    const upTo = list.slice(0, level);
    const { oldest = { level: 1, release: list[0]?.release } } = upTo.findLast((each) => each.oldest) ?? {};
    await transaction('schema_state').delete();
    await transaction('schema_state').insert({
      ...{ level, release: upTo.at(-1)?.release },
      ...{ oldest_level: oldest.level, oldest_release: oldest.release },
    });
    return done;
  });
}

/** A lock that did not come in time, or a deadlock. knex says of its own lock only that it could not take it. */
function isLocked(error: unknown): boolean {
  return hasCode(error, '55P03', '40P01') || (error instanceof Error && error.name === 'MigrationLocked');
}

/**
 * Builds an index while others read and write, which no transaction can: the session of the migration's transaction
 * keeps other instances away meanwhile. One that was killed leaves an index that is not valid.
 */
async function buildIndex(beside: Knex, index: string, on: string): Promise<void> {
  const { rows } = await beside.raw<{ rows: unknown[] }>(
    `select from pg_index where indexrelid = to_regclass(quote_ident(?)) and not indisvalid`,
    [index],
  );
  if (rows.length > 0) await beside.raw('drop index concurrently if exists ??', [index]);
  await beside.raw(`create index concurrently if not exists ?? on ${on}`, [index]);
}

/** How the schema of a database stands to a program. */
export interface SchemaStanding {
  /** The names of the migrations that are due: all of them where there is no table of them yet. */
  readonly pending: readonly string[];
  /** How many migrations of a later release it has. */
  readonly newer: number;
  /** Why the program cannot use it. */
  readonly fault: { readonly sentence: string; readonly cure: string } | undefined;
}

/** Reads it, and changes nothing. */
export async function readSchema(knex: Knex, list = migrations): Promise<SchemaStanding> {
  const known = await readDone(knex);
  const newer = Math.max(known.length - list.length, 0);
  const isOther = list.slice(0, known.length).some(({ name }, index) => name !== known[index]);
  const fault = isOther ? otherDraft : newer > 0 ? await findTooNew(knex, list) : undefined;
  return { pending: list.slice(known.length).map(({ name }) => name), newer, fault };
}

/** @throws OperatorError where the program cannot use the schema */
export function refuseUnusable({ fault }: SchemaStanding): void {
  if (fault !== undefined) throw new OperatorError(`${fault.sentence} ${fault.cure}`);
}

async function findTooNew(knex: Knex, list: readonly NamedMigration[]): Promise<SchemaStanding['fault']> {
  const state = await knex<StateRow>('schema_state').first();
  if (state === undefined || list.length >= state.oldest_level) return undefined;
  return {
    sentence:
      `The database has schema level ${state.level} of release ${state.release}. This program (${list.at(-1)?.release}) ` +
      `knows level ${list.length}; the oldest that can use it is ${state.oldest_release}. Nothing was changed.`,
    cure: `Start release ${state.oldest_release} or a later one.`,
  };
}

/** Where a program needs a schema that it may not make. */
export function describeDue(pending: readonly string[], list = migrations) {
  return {
    sentence:
      `The database has schema level ${list.length - pending.length}. This program (${list.at(-1)?.release}) needs ` +
      `level ${list.length}. Due: ${pending.join(', ')}.`,
    cure: 'npm run cli -- migrate',
  };
}

/** A session that is updating the schema, and those whose locks it waits for. */
export interface MigrationWait {
  readonly pid: number;
  readonly waitsFor: readonly number[];
}

export async function readMigrationWaits(knex: Knex): Promise<readonly MigrationWait[]> {
  const { rows } = await knex.raw<{ rows: MigrationWait[] }>(
    `select pid, pg_blocking_pids(pid) as "waitsFor" from pg_locks
    where relation = to_regclass('knex_migrations_lock') and granted and cardinality(pg_blocking_pids(pid)) > 0`,
  );
  return rows;
}

interface StateRow {
  readonly level: number;
  readonly release: string;
  readonly oldest_level: number;
  readonly oldest_release: string;
}

const otherDraft = {
  sentence: 'This database was made by an unreleased version of the service.',
  cure:
    'Give the service an empty one: another DATABASE_URL, or without that another DATA_DIR (or remove the directory pg ' +
    'in it).',
};

/** Checked first: almost every start has nothing to migrate, and knex needs a dozen statements to find that. */
async function readDone(transaction: Knex): Promise<readonly string[]> {
  const { rows } = await transaction.raw<{ rows: { table: string | null }[] }>(
    `select to_regclass('knex_migrations') as "table"`,
  );
  if (rows[0]?.table === null) return [];
  return transaction<{ id: number; name: string }>('knex_migrations').orderBy('id').pluck('name');
}

/** A fixed list instead of a directory, so that source and compiled files behave the same. */
function sourceOf(list: readonly NamedMigration[], beside: Knex | undefined): Knex.MigrationSource<NamedMigration> {
  return {
    getMigrations: async () => [...list],
    getMigrationName: (migration) => migration.name,
    // knex requires a down migration. There is none: stored data is never removed.
    getMigration: async ({ change }) => ({
      down: () => Promise.reject(new Error('There is no down migration.')),
      async up(transaction) {
        if (typeof change === 'function') await change(transaction);
        else if (beside !== undefined) await buildIndex(beside, change.index, change.on);
        else await transaction.raw(`create index ?? on ${change.on}`, [change.index]);
      },
    }),
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
