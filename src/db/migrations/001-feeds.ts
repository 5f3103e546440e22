/** Tables of underwriting and publication. */
export const feedsTables = `
-- The figures of each listing, as the named assumptions make them.
create table underwritings (
  listing_id uuid not null,
  assumption_set text not null,
  inputs_hash text not null,
  figures json not null,
  computed_at timestamptz not null,
  primary key (listing_id)
);
create index underwritings_computed_at on underwritings (computed_at);

-- The published version of each feed. \`taken_back\`: the length of the suppression list when its reading began.
create table feed_versions (
  feed text not null,
  version bigint not null,
  published_at timestamptz not null,
  complete_as_of timestamptz,
  publication uuid,
  taken_back bigint,
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
  place_keys text[],
  seal bytea,
  basic_seal bytea,
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

-- Exclusive sales: a lead is held once in each round, by one payment.
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
  unique (network, asset, payer, nonce),
  check (round > 0)
);
create index lead_holds_held_until on lead_holds (held_until);

-- Keyed hashes of what must not be shown.
create table suppressions (
  hash bytea not null,
  kind text not null,
  key_check bytea not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (hash),
  check (kind in ('address', 'parcel', 'number'))
);

do $$ begin
  alter table published_records alter column full_json set compression lz4;
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
RETURNS TABLE (feed text, version bigint, id uuid, full_json text, place_keys text[])
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH near AS (SELECT * FROM published_records_at(feeds, keys)),
  parcels AS (SELECT DISTINCT key FROM near, unnest(near.place_keys) AS key WHERE key LIKE parcel_keys),
  beside AS (SELECT * FROM published_records_at(feeds, ARRAY(TABLE parcels))),
  found AS (SELECT DISTINCT ON (feed, id) * FROM (TABLE near UNION ALL TABLE beside) AS of_both)
  SELECT f.feed, f.version, found.id, found.full_json, found.place_keys
  FROM feed_versions AS f LEFT JOIN found USING (feed) WHERE f.feed = ANY(feeds) ORDER BY found.id;
END $$;
`;
