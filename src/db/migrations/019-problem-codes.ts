import type { Knex } from 'knex';

/** Which kind of error of the source a run failed with, beside the operator's sentence; null where none was noted. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE source_runs ADD COLUMN problem_code text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE source_runs DROP COLUMN problem_code');
}
