import type { Knex } from 'knex';

/**
 * What a source shows of a property beside the listing that is shown of it here, as it was read last: one of these is shown
 * when that one goes. `prices_from`: prices of before are those of another listing that stood beside this one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE listing_standbys (
      source_name text NOT NULL,
      source_key text NOT NULL,
      listing_id uuid NOT NULL,
      content jsonb NOT NULL,
      content_hash text NOT NULL,
      complete boolean NOT NULL,
      address_parsed boolean NOT NULL,
      county_fips text,
      last_seen_at timestamptz NOT NULL,
      first_run_id integer NOT NULL,
      last_run_id integer NOT NULL,
      PRIMARY KEY (source_name, source_key)
    )`);
  await knex.raw('CREATE INDEX listing_standbys_listing ON listing_standbys (source_name, listing_id)');
  await knex.raw('ALTER TABLE listing_sources ADD COLUMN prices_from timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE listing_sources DROP COLUMN prices_from');
  await knex.raw('DROP TABLE listing_standbys');
}
