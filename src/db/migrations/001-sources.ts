/** Tables of data read from sources. */
export const sourcesTables = `
-- What is known of each source: its licence, who saw it last, and why it is refused.
create table sources (
  name text not null,
  kind text not null,
  licence_class text not null,
  may_store boolean not null,
  may_resell boolean not null,
  attribution text not null,
  expires_at timestamptz,
  changed_at timestamptz not null,
  delivers text not null default 'listings',
  seen_at timestamptz,
  refused_at timestamptz,
  refusal text,
  withheld_fields text[] not null default '{}',
  narrowed_at timestamptz,
  last_seen_by text,
  last_seen_at timestamptz,
  unseen_since timestamptz,
  removed_at timestamptz,
  county_fips text,
  primary key (name),
  check (delivers in ('listings', 'signals', 'auctions', 'parcels', 'rents')),
  check (licence_class in ('owned', 'licensed', 'public_record', 'demonstration'))
);

-- Each reading of a source, and where an interrupted one goes on.
create table source_runs (
  id serial,
  source_name text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  status text not null,
  etag text,
  rows_accepted integer not null default 0,
  rows_rejected integer not null default 0,
  listings_created integer not null default 0,
  listings_retired integer not null default 0,
  problem text,
  since text,
  next_cursor text,
  page_kept_at timestamptz,
  watermark text,
  problem_code text,
  configuration text,
  primary key (id),
  check (status in ('running', 'abandoned', 'failed', 'unchanged', 'quarantined', 'completed'))
);
create index source_runs_source_name_id_index on source_runs (source_name, id);

-- What the running reading has seen, page by page: what it has not seen is retired at its end.
create table run_sightings (
  run_id integer not null,
  page integer not null,
  ids uuid[] not null,
  unread_ids uuid[] not null,
  primary key (run_id, page)
);

-- The rows as they were delivered, once each.
create table raw_records (
  source_name text not null,
  hash text not null,
  row_key text not null,
  payload text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (source_name, hash)
);
create index raw_records_last_seen_at_index on raw_records (last_seen_at);

-- Rows that were refused, and why.
create table rejects (
  source_name text not null,
  row_key text not null,
  reason text not null,
  detail text not null,
  run_id integer not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (source_name, row_key, reason)
);

-- A property by its identity, whichever sources list it.
create table listings (
  id uuid not null,
  identity text not null,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id),
  constraint listings_identity_unique unique (identity)
);
create index listings_place on listings (identity collate "C");
create index listings_updated_at_index on listings (updated_at);

-- The listing of a property in one source that is shown. \`prices_from\`: earlier prices are of another listing.
create table listing_sources (
  listing_id uuid not null,
  source_name text not null,
  source_key text not null,
  content jsonb not null,
  content_hash text not null,
  complete boolean not null,
  address_parsed boolean not null,
  county_fips text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  changed_at timestamptz not null,
  active boolean not null,
  relisted boolean not null,
  retired_at timestamptz,
  last_run_id integer not null,
  prices_from timestamptz,
  primary key (listing_id, source_name)
);
create index listing_sources_source_name_source_key_index on listing_sources (source_name, source_key);

-- Other listings of the same property in the same source: one of them is shown when the first goes.
create table duplicate_listings (
  source_name text not null,
  source_key text not null,
  listing_id uuid not null,
  content jsonb not null,
  content_hash text not null,
  complete boolean not null,
  address_parsed boolean not null,
  county_fips text,
  last_seen_at timestamptz not null,
  first_run_id integer not null,
  last_run_id integer not null,
  primary key (source_name, source_key)
);
create index duplicate_listings_listing on duplicate_listings (source_name, listing_id);

create table listing_prices (
  listing_id uuid not null,
  source_name text not null,
  observed_at timestamptz not null,
  price numeric not null,
  confirmed_at timestamptz not null,
  primary key (listing_id, source_name, observed_at)
);

-- County distress records. \`amount_since\`: when this amount was first seen.
create table signals (
  id uuid not null,
  source_name text not null,
  source_key text not null,
  county_fips text not null,
  own_address text not null,
  amount numeric not null,
  amount_since timestamptz not null,
  content jsonb not null,
  content_hash text not null,
  parcel_key text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_run_id integer,
  resolved_at timestamptz,
  primary key (source_name, id),
  check (own_address in ('usable', 'missing', 'none', 'withheld'))
);
create index signals_changed_at on signals (changed_at);
create index signals_id on signals (id);
create index signals_source_key on signals (source_name, source_key);

create table signal_amounts (
  id uuid not null,
  source_name text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  amount numeric not null,
  primary key (id, source_name, first_seen_at)
);

-- Foreclosure sales.
create table auctions (
  id uuid not null,
  source_name text not null,
  source_key text not null,
  county_fips text not null,
  sale_date date not null,
  sale_status text not null,
  content jsonb not null,
  content_hash text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  changed_at timestamptz not null,
  missing_run_id integer,
  replaced_at timestamptz,
  primary key (source_name, id),
  check (sale_status in ('scheduled', 'adjourned', 'withdrawn', 'cancelled', 'sold', 'no_bid', 'unknown'))
);
create index auctions_changed_at on auctions (changed_at);
create index auctions_id on auctions (id);
create index auctions_source_key on auctions (source_name, source_key);

create table auction_statuses (
  id uuid not null,
  source_name text not null,
  observed_at timestamptz not null,
  status text not null,
  sale_date date not null,
  primary key (id, source_name, observed_at)
);

-- Parcels of the tax rolls.
create table parcels (
  id uuid not null,
  source_name text not null,
  source_key text not null,
  county_fips text not null,
  parcel_key text not null,
  situs text,
  content jsonb not null,
  content_hash text not null,
  first_seen_at timestamptz not null,
  changed_at timestamptz not null,
  retired_at timestamptz,
  primary key (source_name, id)
);
create index parcels_changed_at on parcels (changed_at);
create index parcels_parcel_key on parcels (parcel_key);
create index parcels_source_key on parcels (source_name, source_key);

create table parcel_rolls (
  source_name text not null,
  county_fips text not null,
  completed_at timestamptz not null,
  primary key (source_name, county_fips)
);

-- Rents by area, fiscal year and the source that they were read from.
create table hud_rents (
  area_kind text not null,
  area_code text not null,
  fiscal_year integer not null,
  rent_0br integer not null,
  rent_1br integer not null,
  rent_2br integer not null,
  rent_3br integer not null,
  rent_4br integer not null,
  source_name text not null,
  changed_at timestamptz not null,
  primary key (area_kind, area_code, fiscal_year, source_name),
  check (area_kind in ('zip', 'county'))
);
`;
