import type { Knex } from 'knex';

/**
 * All that was written down before this moment is in the feed as it is published; null where nobody knows. It moves with
 * every publication that comes to its end, also where none of the records has changed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE feed_versions ADD COLUMN complete_as_of timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE feed_versions DROP COLUMN complete_as_of');
}
