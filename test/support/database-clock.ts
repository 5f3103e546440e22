import type { Knex } from 'knex';

/**
 * Puts a clock of its own before that of the database, in the first schema of the search path, which must name
 * `pg_catalog` after it. To be called first: a statement keeps the clock that it was parsed with.
 */
export async function installDatabaseClock(knex: Knex): Promise<void> {
  await setClock(knex, 'pg_catalog.now()');
}

/** Sets it ahead of the true time, by milliseconds. */
export function moveDatabaseClock(knex: Knex, aheadMs: number): Promise<void> {
  return setClock(knex, `pg_catalog.now() + interval '${aheadMs} milliseconds'`);
}

/** Stops it at a moment. */
export function stopDatabaseClock(knex: Knex, at: Date): Promise<void> {
  return setClock(knex, `timestamptz '${at.toISOString()}'`);
}

async function setClock(knex: Knex, time: string): Promise<void> {
  await knex.raw(`create or replace function now() returns timestamptz language sql stable as $$ select ${time} $$`);
}
