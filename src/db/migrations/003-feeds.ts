import type { Knex } from 'knex';

/**
 * What is published. Records of a new version are written beside the old ones; the version row is moved last and is
 * the truth between instances.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE feed_versions (
      feed text PRIMARY KEY,
      version bigint NOT NULL,
      published_at timestamptz NOT NULL
    )`);
  await knex.raw(`
    CREATE TABLE published_deals (
      id uuid NOT NULL,
      version bigint NOT NULL,
      retired boolean NOT NULL,
      content_hash bytea NOT NULL,
      state text NOT NULL,
      city text NOT NULL,
      price_cents bigint,
      cap_hundredths integer,
      units integer,
      deal_score smallint NOT NULL,
      confidence_hundredths smallint NOT NULL,
      rental_status text NOT NULL CHECK (rental_status IN ('Hot', 'Warm', 'Pass')),
      dscr_computed boolean NOT NULL,
      last_verified timestamptz NOT NULL,
      full_json text NOT NULL,
      basic_json text NOT NULL,
      PRIMARY KEY (id, version)
    )`);
  await knex.raw('CREATE INDEX published_deals_version ON published_deals (version)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE published_deals');
  await knex.raw('DROP TABLE feed_versions');
}
