import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';
import { OperatorError } from '../errors.js';
import { findProjectFile } from '../project-file.js';
import { inTransaction } from './transaction.js';

/** A schema change. A release only drops what the release before it no longer uses. */
export interface NamedMigration extends Knex.Migration {
  readonly name: string;
  /** The release that brings it. */
  readonly release: string;
  /** Where it drops something: the level and the release of the oldest program that can use what is left. */
  readonly oldest?: { readonly level: number; readonly release: string };
}

const initialSchema = readFileSync(findProjectFile('src/db/migrations/001-initial.sql'), 'utf8');

/**
 * Every schema change, in order. The database stores the names: never rename a released one. Before 1.0.0 the first
 * name contains a digest of its SQL, to recognize databases of earlier drafts.
 */
export const migrations: readonly NamedMigration[] = [
  { name: `001-initial-${digestOf(initialSchema)}`, release: '1.0.0', up: (knex) => knex.raw(initialSchema) },
];

/** Any number works, as long as every instance uses the same one. */
const lockKey = 402_000_001;

/**
 * Updates the schema and returns the migrations that ran. Everything runs in one transaction under a lock: instances
 * that start together migrate once, and an instance killed midway changes nothing.
 *
 * @throws OperatorError when the database has another draft of the schema, or one that is too new for this program
 */
export async function migrate(knex: Knex, list: readonly NamedMigration[] = migrations): Promise<string[]> {
  return inTransaction(knex, async (transaction) => {
    // Waiting for another instance, or building a large index, may exceed the normal timeouts.
    await transaction.raw('set local statement_timeout = 0');
    await transaction.raw('set local lock_timeout = 0');
    await transaction.raw('select pg_advisory_xact_lock(?)', [lockKey]);
    const { pending, fault } = await readSchema(transaction, list);
    if (fault !== undefined) throw new OperatorError(`${fault.sentence} ${fault.cure}`);
    if (pending.length === 0) return [];
    const [, done] = (await transaction.migrate.latest({ migrationSource: sourceOf(list) })) as [number, string[]];
    const { oldest = { level: 1, release: list[0]?.release } } = list.findLast((each) => each.oldest) ?? {};
    await transaction('schema_state').delete();
    await transaction('schema_state').insert({
      ...{ level: list.length, release: list.at(-1)?.release },
      ...{ oldest_level: oldest.level, oldest_release: oldest.release },
    });
    return done;
  });
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
function sourceOf(list: readonly NamedMigration[]): Knex.MigrationSource<NamedMigration> {
  return {
    getMigrations: async () => [...list],
    getMigrationName: (migration) => migration.name,
    // knex requires a down migration. There is none: stored data is never removed.
    getMigration: async (migration) => ({
      down: () => Promise.reject(new Error('There is no down migration.')),
      ...migration,
    }),
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
