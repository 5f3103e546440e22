import type { Knex } from 'knex';

/**
 * What the versions up to each one have changed, counted by state since counting began:
 * `{"OH": {"added": 1, "removed": 0, "repriced": 2}}`. What is published already was not counted: counting begins with the
 * next version, or, where nothing is published, before the first.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE feed_changes (
      feed text NOT NULL,
      version bigint NOT NULL,
      committed_at timestamptz NOT NULL,
      totals jsonb NOT NULL,
      PRIMARY KEY (feed, version)
    )`);
  await knex.raw(`
    INSERT INTO feed_changes (feed, version, committed_at, totals)
    SELECT feed, version, date_trunc('milliseconds', now()), '{}' FROM feed_versions WHERE feed = 'deals' AND version > 0`);
  await knex.raw(`
    INSERT INTO feed_changes (feed, version, committed_at, totals) SELECT 'deals', 0, 'epoch', '{}'
    WHERE NOT EXISTS (SELECT 1 FROM feed_changes)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE feed_changes');
}
