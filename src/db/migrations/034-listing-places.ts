import type { Knex } from 'knex';

/** By the beginning of the identity: the listings at one house number are found, whatever their street is called. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX listings_place ON listings (identity COLLATE "C")');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX listings_place');
}
