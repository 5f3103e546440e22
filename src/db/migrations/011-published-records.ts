import type { Knex } from 'knex';

/** One table for the published records of every feed: what the feed filters by as JSON beside the rendered bytes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE published_records (
      feed text NOT NULL,
      id uuid NOT NULL,
      version bigint NOT NULL,
      retired boolean NOT NULL,
      content_hash bytea NOT NULL,
      columns jsonb NOT NULL,
      full_json text NOT NULL,
      basic_json text,
      PRIMARY KEY (feed, id, version)
    )`);
  await knex.raw('CREATE INDEX published_records_version ON published_records (feed, version)');
  await knex.raw(`
    INSERT INTO published_records
    SELECT 'deals', id, version, retired, content_hash, jsonb_strip_nulls(jsonb_build_object(
      'id', id, 'state', state, 'city', city, 'priceCents', price_cents, 'capHundredths', cap_hundredths, 'units', units,
      'dealScore', deal_score, 'confidenceHundredths', confidence_hundredths, 'rentalStatus', rental_status,
      'dscrComputed', dscr_computed,
      'lastVerified', to_char(last_verified AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), full_json, basic_json
    FROM published_deals`);
  await knex.raw('DROP TABLE published_deals');
}

export async function down(knex: Knex): Promise<void> {
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
  // What was published is published again by the next run; the version goes on.
  await knex.raw('DROP TABLE published_records');
}
