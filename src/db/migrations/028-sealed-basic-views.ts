import type { Knex } from 'knex';

/** The basic view of a record is known by a seal of its own. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE published_records ADD COLUMN basic_seal bytea');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE published_records DROP COLUMN basic_seal');
}
