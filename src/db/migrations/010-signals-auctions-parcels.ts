import type { Knex } from 'knex';

/**
 * What county records say: signals with the amounts they had, auctions with their statuses, parcels of county rolls, and
 * the one-way hashes of what must not be shown. One row per thing and source. `missing_run_id` is the first complete run
 * that no longer showed the row, 0 where it was shown but could not be read, null where all runs since showed it: a row
 * that is seen again unchanged is not written, `sources.seen_at` says when that was.
 */
export async function up(knex: Knex): Promise<void> {
  for (const statement of [signals, signalAmounts, auctions, auctionStatuses, parcels, parcelRolls, suppressions]) {
    await knex.raw(statement);
  }
  for (const table of ['signals', 'auctions', 'parcels']) {
    await knex.raw(`CREATE INDEX ${table}_source_key ON ${table} (source_name, source_key)`);
    await knex.raw(`CREATE INDEX ${table}_changed_at ON ${table} (changed_at)`);
  }
  for (const table of ['signals', 'auctions']) await knex.raw(`CREATE INDEX ${table}_id ON ${table} (id)`);
  await knex.raw('CREATE INDEX parcels_parcel_key ON parcels (parcel_key)');
}

export async function down(knex: Knex): Promise<void> {
  const tables = 'suppressions parcel_rolls parcels auction_statuses auctions signal_amounts signals'.split(' ');
  for (const name of tables) await knex.raw(`DROP TABLE ${name}`);
}

const signals = `
  CREATE TABLE signals (
    id uuid NOT NULL,
    source_name text NOT NULL,
    source_key text NOT NULL,
    county_fips text NOT NULL,
    own_address text NOT NULL CHECK (own_address IN ('usable', 'missing', 'none', 'withheld')),
    amount numeric NOT NULL,
    amount_since timestamptz NOT NULL,
    content jsonb NOT NULL,
    content_hash text NOT NULL,
    parcel_key text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    missing_run_id integer,
    resolved_at timestamptz,
    PRIMARY KEY (source_name, id)
  )`;

const signalAmounts = `
  CREATE TABLE signal_amounts (
    id uuid NOT NULL,
    source_name text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    amount numeric NOT NULL,
    PRIMARY KEY (id, source_name, first_seen_at)
  )`;

const auctions = `
  CREATE TABLE auctions (
    id uuid NOT NULL,
    source_name text NOT NULL,
    source_key text NOT NULL,
    county_fips text NOT NULL,
    sale_date date NOT NULL,
    sale_status text NOT NULL CHECK (
      sale_status IN ('scheduled', 'adjourned', 'withdrawn', 'cancelled', 'sold', 'no_bid', 'unknown')),
    content jsonb NOT NULL,
    content_hash text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    missing_run_id integer,
    PRIMARY KEY (source_name, id)
  )`;

const auctionStatuses = `
  CREATE TABLE auction_statuses (
    id uuid NOT NULL,
    source_name text NOT NULL,
    observed_at timestamptz NOT NULL,
    status text NOT NULL,
    sale_date date NOT NULL,
    PRIMARY KEY (id, source_name, observed_at)
  )`;

const parcels = `
  CREATE TABLE parcels (
    id uuid NOT NULL,
    source_name text NOT NULL,
    source_key text NOT NULL,
    county_fips text NOT NULL,
    parcel_key text NOT NULL,
    situs text,
    content jsonb NOT NULL,
    content_hash text NOT NULL,
    first_seen_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    retired_at timestamptz,
    PRIMARY KEY (source_name, id)
  )`;

const parcelRolls = `
  CREATE TABLE parcel_rolls (
    source_name text NOT NULL,
    county_fips text NOT NULL,
    completed_at timestamptz NOT NULL,
    PRIMARY KEY (source_name, county_fips)
  )`;

const suppressions = `
  CREATE TABLE suppressions (
    hash bytea PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('address', 'parcel', 'number')),
    key_check bytea NOT NULL,
    reason text NOT NULL,
    created_at timestamptz NOT NULL
  )`;
