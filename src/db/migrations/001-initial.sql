-- What is known of each source: its licence, who saw it last, and why it is refused. `narrowed_by`: the number of the takedown
-- by which its licence shows fewer fields.
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
  undisplayed_fields text[] not null default '{}',
  narrowed_at timestamptz,
  narrowed_by bigint not null default 0,
  last_seen_by text,
  last_seen_at timestamptz,
  unseen_since timestamptz,
  removed_at timestamptz,
  -- The counties that it declares, by their five-digit FIPS codes; null where it declares none.
  covers text[],
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
  -- How its rows and values were understood; kept for the last ten readings of a source.
  import_report jsonb,
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
  -- Empty for a whole row, else the field whose value was not understood.
  field text not null,
  reason text not null,
  detail text not null,
  place text not null,
  -- The value, shortened; null for a whole row, and in a column of people.
  stated text,
  run_id integer not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (source_name, row_key, field, reason)
);

-- A property, whichever sources list it. `former_ids`: what it was sold as before its address became another one.
create table listings (
  id uuid not null,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  former_ids uuid[] not null default '{}',
  primary key (id)
);
create index listings_updated_at_index on listings (updated_at);

-- The listing of a property in one source that is shown. `identity`: what this row tells of which property it is; `building`:
-- the address by its city, without the ZIP. `period_from`: earlier prices are of another offer.
create table listing_sources (
  listing_id uuid not null,
  source_name text not null,
  source_key text not null,
  identity text not null,
  building text,
  content jsonb not null,
  content_hash text not null,
  address_parsed boolean not null,
  county_fips text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  changed_at timestamptz not null,
  active boolean not null,
  relisted boolean not null,
  retired_at timestamptz,
  last_run_id integer not null,
  period_from timestamptz not null,
  primary key (listing_id, source_name)
);
create index listing_sources_source_name_source_key_index on listing_sources (source_name, source_key);
create index listing_sources_identity on listing_sources (identity collate "C");
create index listing_sources_without_zip on listing_sources (building) where building is not null and identity like 'source:%';

-- Other listings of the same property in the same source: one of them is shown when the first goes.
create table duplicate_listings (
  source_name text not null,
  source_key text not null,
  listing_id uuid not null,
  identity text not null,
  building text,
  content jsonb not null,
  content_hash text not null,
  address_parsed boolean not null,
  county_fips text,
  last_seen_at timestamptz not null,
  first_run_id integer not null,
  last_run_id integer not null,
  primary key (source_name, source_key)
);
create index duplicate_listings_listing on duplicate_listings (source_name, listing_id);

-- `period_from`: the offer that the price is of.
create table listing_prices (
  listing_id uuid not null,
  source_name text not null,
  observed_at timestamptz not null,
  price numeric not null,
  confirmed_at timestamptz not null,
  period_from timestamptz not null,
  primary key (listing_id, source_name, observed_at)
);

-- Ids of properties that turned out to be another one's. Those that were told apart again have ended.
create table listing_aliases (
  old_id uuid not null,
  id uuid not null,
  since timestamptz not null,
  ended_at timestamptz,
  primary key (old_id)
);
create index listing_aliases_id on listing_aliases (id);

-- County distress records. `amount_since`: when this amount was first seen.
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
  check (own_address in ('usable', 'missing', 'none', 'suppressed'))
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

-- Rents by ZIP or county, fiscal year, HUD's area in it, and the source that they were read from.
create table hud_rents (
  area_kind text not null,
  area_code text not null,
  fiscal_year integer not null,
  area text not null,
  rent_0br integer not null,
  rent_1br integer not null,
  rent_2br integer not null,
  rent_3br integer not null,
  rent_4br integer not null,
  source_name text not null,
  changed_at timestamptz not null,
  primary key (area_kind, area_code, fiscal_year, area, source_name),
  check (area_kind in ('zip', 'county'))
);

-- Tables of rents that an operator loaded, each whole in the form that the project carries.
create table rent_tables (
  sha256 text primary key,
  fiscal_year integer not null,
  loaded_at timestamptz not null,
  content text not null
);


-- When all listings on offer were last underwritten, and on which assumptions: one row.
create table underwritten (
  single boolean not null default true check (single),
  assumptions text not null,
  at timestamptz not null,
  primary key (single)
);

-- The published version of each feed. `takedowns`: the number up to which it is clean; `shape`: its columns.
create table feed_versions (
  feed text not null,
  version bigint not null,
  published_at timestamptz not null,
  complete_as_of timestamptz,
  publication uuid,
  takedowns bigint not null default 0,
  shape text not null default '',
  -- Events of versions up to this one are no longer kept, at least not all.
  events_dropped bigint not null default 0,
  primary key (feed)
);

-- What the versions of a feed up to each one changed, counted by state since counting began.
create table feed_changes (
  feed text not null,
  version bigint not null,
  committed_at timestamptz not null,
  totals jsonb not null,
  primary key (feed, version)
);

-- What each version of a feed did to its records: their columns before and after, and the parts of the event as it is sold. Those
-- of a draft are no events yet. `takedowns`: as that of the version.
create table feed_events (
  feed text not null,
  version bigint not null,
  ordinal integer not null,
  entity text not null,
  id uuid not null,
  event text not null,
  at timestamptz not null,
  observed_at timestamptz not null,
  takedowns bigint not null default 0,
  before jsonb,
  after jsonb,
  body text not null,
  primary key (feed, version, ordinal)
);
create index feed_events_removed on feed_events (feed, id) where event = 'removed';

-- The rendered records of every feed, by version. Texts are compressed by the faster method where there is one.
create table published_records (
  feed text not null,
  id uuid not null,
  version bigint not null,
  retired boolean not null,
  content_hash bytea not null,
  columns jsonb not null,
  full_json text not null,
  basic_json text,
  compact_json text,
  place_keys text[],
  full_seal bytea,
  basic_seal bytea,
  compact_seal bytea,
  primary key (feed, id, version)
);
create index published_records_places on published_records using gin (place_keys) with (fastupdate = off);
create index published_records_version on published_records (feed, version, id);

-- What the report of a deal is made of, by version.
create table report_inputs (
  deal_id uuid not null,
  version bigint not null,
  county_fips text,
  inputs text,
  primary key (deal_id, version)
);
create index report_inputs_county on report_inputs (county_fips);
create index report_inputs_version on report_inputs (version);

-- Exclusive sales: a lead is held once in each round, by one payment, under each id that its record has had.
create table lead_holds (
  lead_id uuid not null,
  round integer not null,
  held_at timestamptz not null,
  held_until timestamptz not null,
  network text not null,
  asset bytea not null,
  payer bytea not null,
  nonce bytea not null,
  primary key (lead_id, round),
  unique (network, asset, payer, nonce, lead_id),
  check (round > 0)
);
create index lead_holds_held_until on lead_holds (held_until);

-- Keyed hashes of what must not be shown.
create table suppressions (
  hash bytea not null,
  kind text not null,
  key_check bytea not null,
  reason text not null,
  created_at timestamptz not null default now(),
  primary key (hash),
  check (kind in ('address', 'parcel', 'number'))
);

-- The number of the last takedown. A writer raises it first, so that numbers become visible in their order.
create table takedown_number (
  number bigint not null
);
insert into takedown_number (number) values (0);

-- Records of suppressed properties, with the last takedown that named them: earlier versions do not show them. Replies that were
-- sold with them are sent for a day after suppressed_at.
create table suppressed_records (
  id uuid not null,
  feed text not null,
  number bigint not null,
  suppressed_at timestamptz not null default now(),
  primary key (id)
);
create index suppressed_records_number on suppressed_records (number);

do $$ begin
  alter table published_records alter column full_json set compression lz4;
  alter table report_inputs alter column inputs set compression lz4;
exception when feature_not_supported then null;
end $$;

insert into feed_changes (feed, version, committed_at, totals) values ('deals', 0, 'epoch', '{}');

-- As functions: planning these questions takes longer than answering them, and a session keeps the plan of a function. No plan
-- is of certain values, since the statistics may not know those of a feed yet; nor does one read a whole table that was empty.
CREATE FUNCTION published_records_of(of_feed text, ids uuid[], up_to bigint) RETURNS SETOF published_records
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT r.* FROM unnest(ids) AS asked(id), LATERAL (
    SELECT * FROM published_records AS p WHERE p.feed = of_feed AND p.id = asked.id AND p.version <= up_to
    ORDER BY p.version DESC LIMIT 1) AS r;
END $$;

-- Key by key and row by row (OFFSET 0): of lists that overlap, a planner expects far too many.
CREATE FUNCTION published_records_at(feeds text[], keys text[]) RETURNS SETOF published_records
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT DISTINCT ON (r.feed, r.id) r.* FROM unnest(keys) AS k(key), LATERAL (
    SELECT * FROM published_records AS p WHERE p.place_keys @> ARRAY[k.key] OFFSET 0) AS r
  JOIN feed_versions AS f ON f.feed = r.feed
  WHERE f.feed = ANY(feeds) AND r.version <= f.version AND NOT r.retired AND r.version = (
    SELECT p.version FROM published_records AS p WHERE p.feed = r.feed AND p.id = r.id AND p.version <= f.version
    ORDER BY p.version DESC LIMIT 1);
END $$;

-- What is at a place, and what is of the same parcels as any of that. One row of a feed where nothing is found.
CREATE FUNCTION published_records_near(feeds text[], keys text[], parcel_keys text)
RETURNS TABLE (feed text, version bigint, takedowns bigint, id uuid, sources text, matched text, full_json text, place_keys text[])
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH near AS (SELECT * FROM published_records_at(feeds, keys)),
  parcels AS (SELECT DISTINCT key FROM near, unnest(near.place_keys) AS key WHERE key LIKE parcel_keys),
  beside AS (SELECT * FROM published_records_at(feeds, ARRAY(TABLE parcels))),
  found AS (SELECT DISTINCT ON (feed, id) * FROM (TABLE near UNION ALL TABLE beside) AS of_both)
  SELECT f.feed, f.version, f.takedowns, found.id, coalesce(found.columns ->> 'sources', '?'), found.columns ->> 'matched', found.full_json,
    found.place_keys
  FROM feed_versions AS f LEFT JOIN found USING (feed) WHERE f.feed = ANY(feeds) ORDER BY found.id;
END $$;


-- The ledger. The natural key is the authorization. No index on a column that changes: updates stay within the page.
create table payments (
  network text not null,
  asset bytea not null,
  payer bytea not null,
  nonce bytea not null,
  state text not null,
  -- Empty where a rebuilt payment may have been for several.
  operation_id text not null,
  resource text not null default '',
  binding bytea,
  amount numeric(78) not null,
  pay_to bytea not null,
  valid_after numeric(78),
  valid_before numeric(78),
  signature bytea,
  claimed_at timestamptz not null,
  lease_owner text not null,
  lease_until timestamptz not null,
  search_from timestamptz not null,
  settle_transaction bytea,
  settled_at timestamptz,
  delivery text not null default 'pending',
  release_reason text,
  reply_hash bytea,
  reply_headers text,
  payment_id bytea not null,
  client_id_hash bytea,
  chain_instance text not null default '',
  settle_block bigint,
  -- What its settlement cost the relayer, where that is known.
  fee_gwei bigint,
  reorged_at timestamptz,
  reorged_transaction bytea,
  -- When its transfer last failed on the chain, and the gas that it burned.
  failed_at timestamptz,
  failed_gas bigint,
  -- It burned the gas of a transaction that others shared.
  burned_shared boolean not null default false,
  -- Its payer had no payment here that was older than an hour.
  is_newcomer boolean not null,
  -- What its transfer may use, where its payer has code.
  payer_gas bigint,
  -- When it was written from the chain alone. Request, signature, window and reply are null until it buys something.
  rebuilt_at timestamptz,
  primary key (network, asset, payer, nonce),
  check (num_nulls(binding, valid_after, valid_before, signature, reply_hash, reply_headers)
    = case when rebuilt_at is not null and binding is null then 6 else 0 end),
  check ((failed_at is null) = (failed_gas is null)),
  check ((state = 'settled') = (settle_transaction is not null)),
  check (delivery in ('pending', 'completed', 'incomplete', 'refunded')),
  check (state in ('claimed', 'settled', 'released'))
);
create index payments_claimed_at on payments (claimed_at);
create index payments_payer on payments (payer, claimed_at);
create unique index payments_client_id on payments (payer, client_id_hash) where client_id_hash is not null;
create index payments_payment_id on payments (payment_id);
create index payments_failed on payments (payer, failed_at) where failed_at is not null;
create index payments_rebuilt on payments (rebuilt_at) where rebuilt_at is not null and binding is null;
create index payments_payer_gas on payments (claimed_at) where payer_gas is not null;

-- The replies that were paid for, once each. One without its body showed a suppressed record, and is never sent again.
create table payment_bodies (
  hash bytea not null,
  body bytea,
  created_at timestamptz not null,
  primary key (hash)
);

-- Refunds that were found on the chain.
create table refunds (
  payment_id bytea not null,
  network text not null,
  asset bytea not null,
  payer bytea not null,
  amount numeric(78) not null,
  transaction bytea not null,
  log_index integer not null,
  recorded_at timestamptz not null,
  primary key (payment_id),
  unique (network, transaction, log_index)
);

-- Transfers to the payee that no payment explained when they were read.
create table orphan_transfers (
  network text not null,
  asset bytea not null,
  chain_instance text not null,
  transaction bytea not null,
  log_index integer not null,
  block_number bigint not null,
  block_time timestamptz not null,
  payer bytea not null,
  pay_to bytea not null,
  nonce bytea,
  amount numeric(78) not null,
  -- Who sent the transaction.
  sender bytea not null,
  payment_id bytea not null,
  found_at timestamptz not null,
  primary key (network, asset, chain_instance, transaction, log_index)
);
create index orphan_transfers_payment_id on orphan_transfers (payment_id);

-- Who has sent settlements here: relayers of ours, facilitators, and others that an audit has seen.
create table settlers (
  network text not null,
  sender bytea not null,
  primary key (network, sender)
);

-- Comparisons of the ledger with the chain, by range of blocks.
create table ledger_audits (
  network text not null,
  asset bytea not null,
  chain_instance text not null,
  from_block bigint not null,
  to_block bigint not null,
  to_time timestamptz not null,
  transfers integer not null,
  chain_amount numeric(78) not null,
  payments integer not null,
  ledger_amount numeric(78) not null,
  missing integer not null,
  audited_at timestamptz not null,
  primary key (network, asset, chain_instance, from_block)
);

-- Every transaction that the relayer signed, until its nonce is used.
create table relayer_transactions (
  chain text not null,
  relayer bytea not null,
  nonce bigint not null,
  hash bytea not null,
  raw bytea not null,
  -- The payments that it settles: payer and nonce of each, 52 bytes.
  carries bytea[] not null,
  give_up_at timestamptz not null,
  kept_at timestamptz not null,
  primary key (chain, relayer, nonce, hash),
  check (nonce >= 0)
);
create index relayer_transactions_carries on relayer_transactions using gin (carries);

-- Which instance signs with a relayer's key, and until when. `next_nonce`: above all that were ever kept for it.
create table relayer_leases (
  chain text not null,
  relayer bytea not null,
  owner text not null,
  lease_until timestamptz not null,
  next_nonce bigint not null default 0,
  primary key (chain, relayer)
);

-- When the ledger was found to be an older copy, until all that it lacked is written.
create table ledger_restores (
  restored_at timestamptz not null,
  primary key (restored_at)
);

-- Which release has made the schema, and the oldest whose programs can use it. One row.
create table schema_state (
  level integer not null,
  release text not null,
  oldest_level integer not null,
  oldest_release text not null,
  primary key (level)
);

-- The running instances. Each counts its beats: one that is lower than was written shows an older copy of the database.
create table instances (
  owner text not null,
  name text not null,
  version text not null,
  host text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  ready boolean not null,
  draining boolean not null,
  beat bigint not null,
  -- A digest of how it has each of its sources, by name.
  sources jsonb,
  primary key (owner)
);

-- Each slot of each job: one instance runs it.
create table job_runs (
  job text not null,
  slot timestamptz not null,
  lane text not null,
  state text not null,
  owner text not null,
  attempts integer not null,
  lease_until timestamptz not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  error text,
  progress jsonb,
  summary jsonb,
  primary key (job, slot),
  check (attempts >= 0),
  check (state in ('running', 'succeeded', 'failed'))
);
create unique index job_runs_one_running on job_runs (lane) where state = 'running';

-- What was asked for on a day: names of filters, a state, a metro or county of ours; no other value, and nobody's.
create table demand (
  day date not null,
  operation text not null,
  transport text not null,
  filters text not null,
  state text not null,
  place text not null,
  asked bigint not null,
  sold bigint not null,
  unmatched bigint not null,
  primary key (day, operation, transport, filters, state, place)
);

-- Keys of this database, encrypted under SERVER_SECRET.
create table server_keys (
  name text not null,
  wrapped bytea not null,
  primary key (name)
);
