import type { Knex } from 'knex';

/**
 * Who saw a source last, since when nobody does, and whether an operator removed it. What had left the configuration was off sale
 * before; it stays so until an operator restores it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE sources ADD COLUMN last_seen_by text, ADD COLUMN last_seen_at timestamptz, ADD COLUMN unseen_since timestamptz,
      ADD COLUMN removed_at timestamptz`);
  await knex.raw(`
    UPDATE sources SET last_seen_by = '', last_seen_at = changed_at, removed_at = CASE WHEN configured OR refused_at IS NOT NULL THEN NULL ELSE changed_at END
    WHERE changed_at > to_timestamp(0)`);
  await knex.raw('ALTER TABLE sources DROP COLUMN configured');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sources ADD COLUMN configured boolean NOT NULL DEFAULT true');
  await knex.raw(
    'UPDATE sources SET configured = last_seen_at IS NOT NULL AND removed_at IS NULL AND unseen_since IS NULL',
  );
  await knex.raw(`
    ALTER TABLE sources DROP COLUMN last_seen_by, DROP COLUMN last_seen_at, DROP COLUMN unseen_since, DROP COLUMN removed_at`);
}
