import type { Knex } from 'knex';

/** Since when the configuration is wrong about a source, and the operator's sentence why; null where it is not. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sources ADD COLUMN refused_at timestamptz, ADD COLUMN refusal text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sources DROP COLUMN refused_at, DROP COLUMN refusal');
}
