import type { Knex } from 'knex';

/**
 * How much was on the suppression list when what a version shows began to be read; null where nobody knows. What came upon the
 * list since is told by it alone: the clocks of those who publish and of those who suppress may differ.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE feed_versions ADD COLUMN taken_back bigint');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE feed_versions DROP COLUMN taken_back');
}
