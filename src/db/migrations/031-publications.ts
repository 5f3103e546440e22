import type { Knex } from 'knex';

/** Which publication writes the next version of a feed: what another writes under it counts for nothing. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE feed_versions ADD COLUMN publication uuid');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE feed_versions DROP COLUMN publication');
}
