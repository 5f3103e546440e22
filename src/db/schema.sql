create table auction_statuses (
  id uuid not null,
  source_name text not null,
  observed_at timestamp with time zone not null,
  status text not null,
  sale_date date not null,
  constraint auction_statuses_pkey PRIMARY KEY (id, source_name, observed_at)
);

create table auctions (
  id uuid not null,
  source_name text not null,
  source_key text not null,
  county_fips text not null,
  sale_date date not null,
  sale_status text not null,
  content jsonb not null,
  content_hash text not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  missing_run_id integer,
  replaced_at timestamp with time zone,
  constraint auctions_pkey PRIMARY KEY (source_name, id),
  constraint auctions_sale_status_check CHECK ((sale_status = ANY (ARRAY['scheduled'::text, 'adjourned'::text, 'withdrawn'::text, 'cancelled'::text, 'sold'::text, 'no_bid'::text, 'unknown'::text])))
);
CREATE INDEX auctions_changed_at ON auctions USING btree (changed_at);
CREATE INDEX auctions_id ON auctions USING btree (id);
CREATE INDEX auctions_source_key ON auctions USING btree (source_name, source_key);

create table duplicate_listings (
  source_name text not null,
  source_key text not null,
  listing_id uuid not null,
  content jsonb not null,
  content_hash text not null,
  complete boolean not null,
  address_parsed boolean not null,
  county_fips text,
  last_seen_at timestamp with time zone not null,
  first_run_id integer not null,
  last_run_id integer not null,
  constraint duplicate_listings_pkey PRIMARY KEY (source_name, source_key)
);
CREATE INDEX duplicate_listings_listing ON duplicate_listings USING btree (source_name, listing_id);

create table feed_changes (
  feed text not null,
  version bigint not null,
  committed_at timestamp with time zone not null,
  totals jsonb not null,
  constraint feed_changes_pkey PRIMARY KEY (feed, version)
);

create table feed_versions (
  feed text not null,
  version bigint not null,
  published_at timestamp with time zone not null,
  complete_as_of timestamp with time zone,
  publication uuid,
  taken_back bigint,
  constraint feed_versions_pkey PRIMARY KEY (feed)
);

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
  changed_at timestamp with time zone not null,
  constraint hud_rents_pkey PRIMARY KEY (area_kind, area_code, fiscal_year, source_name),
  constraint hud_rents_area_kind_check CHECK ((area_kind = ANY (ARRAY['zip'::text, 'county'::text])))
);

create table job_runs (
  job text not null,
  slot timestamp with time zone not null,
  lane text not null,
  state text not null,
  owner text not null,
  attempts integer not null,
  lease_until timestamp with time zone not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  error text,
  progress jsonb,
  summary jsonb,
  constraint job_runs_pkey PRIMARY KEY (job, slot),
  constraint job_runs_attempts_check CHECK ((attempts >= 0)),
  constraint job_runs_state_check CHECK ((state = ANY (ARRAY['running'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX job_runs_one_running ON job_runs USING btree (lane) WHERE (state = 'running'::text);

create table lead_holds (
  lead_id uuid not null,
  round integer not null,
  held_at timestamp with time zone not null,
  held_until timestamp with time zone not null,
  network text not null,
  asset bytea not null,
  payer bytea not null,
  nonce bytea not null,
  constraint lead_holds_pkey PRIMARY KEY (lead_id, round),
  constraint lead_holds_network_asset_payer_nonce_key UNIQUE (network, asset, payer, nonce),
  constraint lead_holds_round_check CHECK ((round > 0))
);
CREATE INDEX lead_holds_held_until ON lead_holds USING btree (held_until);

create table ledger_audits (
  network text not null,
  asset bytea not null,
  chain_instance text not null,
  from_block bigint not null,
  to_block bigint not null,
  to_time timestamp with time zone not null,
  transfers integer not null,
  chain_amount numeric(78,0) not null,
  payments integer not null,
  ledger_amount numeric(78,0) not null,
  missing integer not null,
  audited_at timestamp with time zone not null,
  constraint ledger_audits_pkey PRIMARY KEY (network, asset, chain_instance, from_block)
);

create table listing_prices (
  listing_id uuid not null,
  source_name text not null,
  observed_at timestamp with time zone not null,
  price numeric not null,
  confirmed_at timestamp with time zone not null,
  constraint listing_prices_pkey PRIMARY KEY (listing_id, source_name, observed_at)
);

create table listing_sources (
  listing_id uuid not null,
  source_name text not null,
  source_key text not null,
  content jsonb not null,
  content_hash text not null,
  complete boolean not null,
  address_parsed boolean not null,
  county_fips text,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  active boolean not null,
  relisted boolean not null,
  retired_at timestamp with time zone,
  last_run_id integer not null,
  prices_from timestamp with time zone,
  constraint listing_sources_pkey PRIMARY KEY (listing_id, source_name)
);
CREATE INDEX listing_sources_source_name_source_key_index ON listing_sources USING btree (source_name, source_key);

create table listings (
  id uuid not null,
  identity text not null,
  first_seen_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint listings_pkey PRIMARY KEY (id),
  constraint listings_identity_unique UNIQUE (identity)
);
CREATE INDEX listings_place ON listings USING btree (identity COLLATE "C");
CREATE INDEX listings_updated_at_index ON listings USING btree (updated_at);

create table orphan_transfers (
  network text not null,
  asset bytea not null,
  chain_instance text not null,
  transaction bytea not null,
  log_index integer not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  payer bytea not null,
  pay_to bytea not null,
  nonce bytea,
  amount numeric(78,0) not null,
  payment_id bytea not null,
  found_at timestamp with time zone not null,
  constraint orphan_transfers_pkey PRIMARY KEY (network, asset, chain_instance, transaction, log_index)
);
CREATE INDEX orphan_transfers_payment_id ON orphan_transfers USING btree (payment_id);

create table parcel_rolls (
  source_name text not null,
  county_fips text not null,
  completed_at timestamp with time zone not null,
  constraint parcel_rolls_pkey PRIMARY KEY (source_name, county_fips)
);

create table parcels (
  id uuid not null,
  source_name text not null,
  source_key text not null,
  county_fips text not null,
  parcel_key text not null,
  situs text,
  content jsonb not null,
  content_hash text not null,
  first_seen_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint parcels_pkey PRIMARY KEY (source_name, id)
);
CREATE INDEX parcels_changed_at ON parcels USING btree (changed_at);
CREATE INDEX parcels_parcel_key ON parcels USING btree (parcel_key);
CREATE INDEX parcels_source_key ON parcels USING btree (source_name, source_key);

create table payment_bodies (
  hash bytea not null,
  body bytea not null,
  created_at timestamp with time zone not null,
  constraint payment_bodies_pkey PRIMARY KEY (hash)
);

create table payments (
  network text not null,
  asset bytea not null,
  payer bytea not null,
  nonce bytea not null,
  state text not null,
  operation_id text not null,
  binding bytea not null,
  amount numeric(78,0) not null,
  pay_to bytea not null,
  valid_after numeric(78,0) not null,
  valid_before numeric(78,0) not null,
  signature bytea not null,
  claimed_at timestamp with time zone not null,
  lease_owner text not null,
  lease_until timestamp with time zone not null,
  from_block bigint not null,
  settle_transaction bytea,
  settled_at timestamp with time zone,
  delivery text default 'pending'::text not null,
  release_reason text,
  reply_hash bytea not null,
  reply_headers text not null,
  payment_id bytea not null,
  client_id_hash bytea,
  chain_instance text default ''::text not null,
  settle_block bigint,
  reorged_at timestamp with time zone,
  reorged_transaction bytea,
  constraint payments_pkey PRIMARY KEY (network, asset, payer, nonce),
  constraint payments_check CHECK (((state = 'settled'::text) = (settle_transaction IS NOT NULL))),
  constraint payments_delivery_check CHECK ((delivery = ANY (ARRAY['pending'::text, 'completed'::text, 'incomplete'::text, 'refunded'::text]))),
  constraint payments_state_check CHECK ((state = ANY (ARRAY['claimed'::text, 'settled'::text, 'released'::text])))
);
CREATE INDEX payments_claimed_at ON payments USING btree (claimed_at);
CREATE UNIQUE INDEX payments_client_id ON payments USING btree (payer, client_id_hash) WHERE (client_id_hash IS NOT NULL);
CREATE INDEX payments_payment_id ON payments USING btree (payment_id);

create table published_records (
  feed text not null,
  id uuid not null,
  version bigint not null,
  retired boolean not null,
  content_hash bytea not null,
  columns jsonb not null,
  full_json text not null,
  basic_json text,
  place_keys text[],
  seal bytea,
  basic_seal bytea,
  constraint published_records_pkey PRIMARY KEY (feed, id, version)
);
CREATE INDEX published_records_places ON published_records USING gin (place_keys) WITH (fastupdate=off);
CREATE INDEX published_records_version ON published_records USING btree (feed, version, id);

create table raw_records (
  source_name text not null,
  hash text not null,
  row_key text not null,
  payload text not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  constraint raw_records_pkey PRIMARY KEY (source_name, hash)
);
CREATE INDEX raw_records_last_seen_at_index ON raw_records USING btree (last_seen_at);

create table refunds (
  payment_id bytea not null,
  network text not null,
  asset bytea not null,
  payer bytea not null,
  amount numeric(78,0) not null,
  transaction bytea not null,
  log_index integer not null,
  recorded_at timestamp with time zone not null,
  constraint refunds_pkey PRIMARY KEY (payment_id),
  constraint refunds_network_transaction_log_index_key UNIQUE (network, transaction, log_index)
);

create table rejects (
  source_name text not null,
  row_key text not null,
  reason text not null,
  detail text not null,
  run_id integer not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  constraint rejects_pkey PRIMARY KEY (source_name, row_key, reason)
);

create table relayer_transactions (
  chain text not null,
  relayer bytea not null,
  nonce bigint not null,
  hash bytea not null,
  raw bytea not null,
  kept_at timestamp with time zone not null,
  constraint relayer_transactions_pkey PRIMARY KEY (chain, relayer, nonce, hash),
  constraint relayer_transactions_nonce_check CHECK ((nonce >= 0))
);

create table report_inputs (
  deal_id uuid not null,
  version bigint not null,
  county_fips text,
  inputs text,
  constraint report_inputs_pkey PRIMARY KEY (deal_id, version)
);
CREATE INDEX report_inputs_county ON report_inputs USING btree (county_fips);
CREATE INDEX report_inputs_version ON report_inputs USING btree (version);

create table run_sightings (
  run_id integer not null,
  page integer not null,
  ids uuid[] not null,
  unread_ids uuid[] not null,
  constraint run_sightings_pkey PRIMARY KEY (run_id, page)
);

create table server_keys (
  name text not null,
  wrapped bytea not null,
  constraint server_keys_pkey PRIMARY KEY (name)
);

create table signal_amounts (
  id uuid not null,
  source_name text not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  amount numeric not null,
  constraint signal_amounts_pkey PRIMARY KEY (id, source_name, first_seen_at)
);

create table signals (
  id uuid not null,
  source_name text not null,
  source_key text not null,
  county_fips text not null,
  own_address text not null,
  amount numeric not null,
  amount_since timestamp with time zone not null,
  content jsonb not null,
  content_hash text not null,
  parcel_key text not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  missing_run_id integer,
  resolved_at timestamp with time zone,
  constraint signals_pkey PRIMARY KEY (source_name, id),
  constraint signals_own_address_check CHECK ((own_address = ANY (ARRAY['usable'::text, 'missing'::text, 'none'::text, 'withheld'::text])))
);
CREATE INDEX signals_changed_at ON signals USING btree (changed_at);
CREATE INDEX signals_id ON signals USING btree (id);
CREATE INDEX signals_source_key ON signals USING btree (source_name, source_key);

create table source_runs (
  id integer default nextval('source_runs_id_seq'::regclass) not null,
  source_name text not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  status text not null,
  etag text,
  rows_accepted integer default 0 not null,
  rows_rejected integer default 0 not null,
  listings_created integer default 0 not null,
  listings_retired integer default 0 not null,
  problem text,
  since text,
  next_cursor text,
  page_kept_at timestamp with time zone,
  watermark text,
  problem_code text,
  configuration text,
  constraint source_runs_pkey PRIMARY KEY (id),
  constraint source_runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'abandoned'::text, 'failed'::text, 'unchanged'::text, 'quarantined'::text, 'completed'::text])))
);
CREATE INDEX source_runs_source_name_id_index ON source_runs USING btree (source_name, id);

create table sources (
  name text not null,
  kind text not null,
  licence_class text not null,
  may_store boolean not null,
  may_resell boolean not null,
  attribution text not null,
  expires_at timestamp with time zone,
  changed_at timestamp with time zone not null,
  delivers text default 'listings'::text not null,
  seen_at timestamp with time zone,
  refused_at timestamp with time zone,
  refusal text,
  withheld_fields text[] default '{}'::text[] not null,
  narrowed_at timestamp with time zone,
  last_seen_by text,
  last_seen_at timestamp with time zone,
  unseen_since timestamp with time zone,
  removed_at timestamp with time zone,
  county_fips text,
  constraint sources_pkey PRIMARY KEY (name),
  constraint sources_delivers_check CHECK ((delivers = ANY (ARRAY['listings'::text, 'signals'::text, 'auctions'::text, 'parcels'::text, 'rents'::text]))),
  constraint sources_licence_class_check CHECK ((licence_class = ANY (ARRAY['owned'::text, 'licensed'::text, 'public_record'::text, 'demonstration'::text])))
);

create table suppressions (
  hash bytea not null,
  kind text not null,
  key_check bytea not null,
  reason text not null,
  created_at timestamp with time zone not null,
  constraint suppressions_pkey PRIMARY KEY (hash),
  constraint suppressions_kind_check CHECK ((kind = ANY (ARRAY['address'::text, 'parcel'::text, 'number'::text])))
);

create table underwritings (
  listing_id uuid not null,
  assumption_set text not null,
  inputs_hash text not null,
  figures json not null,
  computed_at timestamp with time zone not null,
  constraint underwritings_pkey PRIMARY KEY (listing_id)
);
CREATE INDEX underwritings_computed_at ON underwritings USING btree (computed_at);

CREATE OR REPLACE FUNCTION published_records_at(feeds text[], keys text[])
 RETURNS SETOF published_records
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  RETURN QUERY SELECT DISTINCT ON (r.feed, r.id) r.* FROM unnest(keys) AS k(key), LATERAL (
    SELECT * FROM published_records AS p WHERE p.place_keys @> ARRAY[k.key] OFFSET 0) AS r
  JOIN feed_versions AS f ON f.feed = r.feed
  WHERE f.feed = ANY(feeds) AND r.version <= f.version AND NOT r.retired AND r.version = (
    SELECT p.version FROM published_records AS p WHERE p.feed = r.feed AND p.id = r.id AND p.version <= f.version
    ORDER BY p.version DESC LIMIT 1);
END $function$;

CREATE OR REPLACE FUNCTION published_records_near(feeds text[], keys text[], parcel_keys text)
 RETURNS TABLE(feed text, version bigint, id uuid, full_json text, place_keys text[])
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH near AS (SELECT * FROM published_records_at(feeds, keys)),
  parcels AS (SELECT DISTINCT key FROM near, unnest(near.place_keys) AS key WHERE key LIKE parcel_keys),
  beside AS (SELECT * FROM published_records_at(feeds, ARRAY(TABLE parcels))),
  found AS (SELECT DISTINCT ON (feed, id) * FROM (TABLE near UNION ALL TABLE beside) AS of_both)
  SELECT f.feed, f.version, found.id, found.full_json, found.place_keys
  FROM feed_versions AS f LEFT JOIN found USING (feed) WHERE f.feed = ANY(feeds) ORDER BY found.id;
END $function$;

CREATE OR REPLACE FUNCTION published_records_of(of_feed text, ids uuid[], up_to bigint)
 RETURNS SETOF published_records
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  RETURN QUERY SELECT r.* FROM unnest(ids) AS asked(id), LATERAL (
    SELECT * FROM published_records AS p WHERE p.feed = of_feed AND p.id = asked.id AND p.version <= up_to
    ORDER BY p.version DESC LIMIT 1) AS r;
END $function$;
