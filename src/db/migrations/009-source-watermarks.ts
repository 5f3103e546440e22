import type { Knex } from 'knex';

/**
 * What a source delivers and when its whole set was last seen; where a run began, how far it came, and where the next one
 * may begin; which rows a run of several pages has shown so far, so that a run that was cut off goes on.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE sources
      ADD COLUMN delivers text NOT NULL DEFAULT 'listings'
        CHECK (delivers IN ('listings', 'signals', 'auctions', 'parcels', 'rents')),
      ADD COLUMN seen_at timestamptz`);
  await knex.raw(`
    ALTER TABLE source_runs
      ADD COLUMN since text,
      ADD COLUMN next_cursor text,
      ADD COLUMN page_kept_at timestamptz,
      ADD COLUMN watermark text`);
  await knex.raw(`
    CREATE TABLE run_sightings (
      run_id integer NOT NULL,
      page integer NOT NULL,
      ids uuid[] NOT NULL,
      unread_ids uuid[] NOT NULL,
      PRIMARY KEY (run_id, page)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE run_sightings');
  await knex.raw(`
    ALTER TABLE source_runs
      DROP COLUMN since, DROP COLUMN next_cursor, DROP COLUMN page_kept_at, DROP COLUMN watermark`);
  await knex.raw('ALTER TABLE sources DROP COLUMN delivers, DROP COLUMN seen_at');
}
