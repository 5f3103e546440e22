import type { Knex } from 'knex';

/** The county that a source reads, five-digit FIPS code; null for sources of no one county. Kept with each registration. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sources ADD COLUMN county_fips text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sources DROP COLUMN county_fips');
}
