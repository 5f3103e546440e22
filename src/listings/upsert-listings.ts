import type { Knex } from 'knex';
import { joinTexts, splitTexts } from '../db/sql/joined-texts.js';
import { inTransaction } from '../db/transaction.js';
import { joinWithoutZip } from './join-without-zip.js';
import type { ListingChunk, ListingToKeep } from './listing-to-keep.js';
import { placeListings, type PlacedListing } from './place-listings.js';

/**
 * Saves a source's listings: one row per property, per property and source, and per price, with what follows for the
 * ids of properties. One short transaction, mostly of six statements. Idempotent except for the time last seen. Pass at
 * most 250 listings.
 *
 * Prices are kept per source, so that disagreeing sources never look like a price cut. One source key is one listing:
 * when its address becomes that of another property, the former listing retires.
 */
export async function upsertListings(knex: Knex, chunk: ListingChunk): Promise<{ created: number }> {
  if (chunk.listings.length === 0) return { created: 0 };
  return inTransaction(knex, async (trx) => {
    const { listings, left, buildings } = await placeListings(trx, chunk);
    const created = await keepPlaced(trx, chunk, listings, left);
    await joinWithoutZip(trx, buildings, chunk.observedAt);
    return { created };
  });
}

/**
 * Ends the offers of keys whose property the same run shows under another key, of a source that is read whole. What
 * such a key was of before and does not contradict, as before a typing error was mended, becomes one with it: of the
 * two ids one is an alias.
 */
export async function joinRepeats(knex: Knex, chunk: ListingChunk): Promise<void> {
  const { listings, observedAt: at, sourceName: source, runId: run } = chunk;
  await inTransaction(knex, async (trx) => {
    const keys = listings.map(({ sourceKey }) => sourceKey);
    const { rows } = await trx.raw<Returned>(endOffers, { keys, at, source, run });
    if (rows.length > 0) await trx.raw(touchListings, { ids: rows.map(({ id }) => id), at });
    await placeListings(trx, chunk);
  });
}

/**
 * Saves listings whose properties are known, in the transaction that found them; each source key leaves the properties
 * in `left`. Of two listings of one property
 * the one is kept that was of it before. Returns how many properties are new.
 */
export async function keepPlaced(
  trx: Knex,
  { observedAt: at, sourceName: source, runId: run }: Omit<ListingChunk, 'listings'>,
  placed: readonly PlacedListing[],
  left: readonly string[],
): Promise<number> {
  const byId = new Map<string, PlacedListing>();
  for (const listing of placed) if (listing.isBound || !byId.has(listing.id)) byId.set(listing.id, listing);
  const all = [...byId.values()];
  if (all.length === 0) return 0;
  all.sort((one, other) => (one.id < other.id ? -1 : 1));
  const ids = all.map(({ id }) => id);
  const properties = JSON.stringify(all.map(({ id, formerId }) => ({ id, former: formerId })));
  const created = await trx.raw<Returned>(insertListings, { properties, at });
  const changed = await trx.raw<Returned>(upsertSources, { ...bindObserved(all), at, source, run });
  const isNew = new Set(created.rows.map(({ id }) => id));
  const known = all.filter(({ id }) => !isNew.has(id));
  if (known.length > 0) await trx.raw(confirmPrices, { prices: pricesOf(known), at, source });
  await trx.raw(insertPrices, { prices: pricesOf(all), at, source });
  const keys = all.map(({ sourceKey }) => sourceKey);
  const replaced =
    left.length === 0 ? { rows: [] } : await trx.raw<Returned>(retireReplaced, { keys, ids, at, source });
  const touched = [...changed.rows.filter((row) => row.changed), ...replaced.rows];
  const touchedIds = touched.flatMap(({ id }) => (isNew.has(id) ? [] : id));
  if (touchedIds.length > 0) await trx.raw(touchListings, { ids: touchedIds, at });
  return created.rows.length;
}

interface Returned {
  readonly rows: readonly { readonly id: string; readonly changed?: boolean }[];
}

/** Binds observations for `observedRows`. */
export function bindObserved(listings: readonly ListingToKeep[]): { readonly rows: string; readonly contents: string } {
  return {
    rows: JSON.stringify(listings.map(toRow)),
    contents: joinTexts(listings.map(({ content }) => content)),
  };
}

function toRow({ id, sourceKey, identity, building, contentHash, addressParsed, countyFips }: ListingToKeep) {
  return {
    id,
    source_key: sourceKey,
    identity,
    building,
    content_hash: contentHash,
    address_parsed: addressParsed,
    county_fips: countyFips,
  };
}

function pricesOf(listings: readonly ListingToKeep[]): string {
  return JSON.stringify(listings.map(({ id, price }) => ({ id, price })));
}

const insertListings = `
  insert into listings (id, first_seen_at, updated_at, former_ids)
  select r.id, :at, :at, array_remove(array[r.former], null)
  from json_to_recordset(cast(:properties as json)) as r(id uuid, former uuid) order by r.id
  on conflict (id) do nothing
  returning id`;

/** Observations as rows `r` of a statement. */
export const observedRows = `
  rows from (
    json_to_recordset(cast(:rows as json)) as (id uuid, source_key text, identity text, building text,
      content_hash text, address_parsed boolean, county_fips text),
    ${splitTexts(':contents')})
    as r(id, source_key, identity, building, content_hash, address_parsed, county_fips, content)`;

/** The period of an offer ends when its key is gone for a week, or another key appears. */
const endsPeriod = `
  s.source_key <> excluded.source_key or (not s.active and s.retired_at <= cast(:at as timestamptz) - interval '7 days')`;

const upsertSources = `
  insert into listing_sources as s (listing_id, source_name, source_key, identity, building, content, content_hash,
    address_parsed, county_fips, first_seen_at, last_seen_at, changed_at, active, relisted, last_run_id, period_from)
  select r.id, :source, r.source_key, r.identity, r.building, cast(r.content as jsonb), r.content_hash,
    r.address_parsed, r.county_fips, :at, :at, :at, true, false, :run, :at
  from ${observedRows}
  order by r.id
  on conflict (listing_id, source_name) do update set
    source_key = excluded.source_key,
    identity = excluded.identity,
    building = excluded.building,
    content = excluded.content,
    content_hash = excluded.content_hash,
    address_parsed = excluded.address_parsed,
    county_fips = excluded.county_fips,
    last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at),
    changed_at = case when s.active and s.content_hash = excluded.content_hash then s.changed_at else excluded.changed_at end,
    relisted = s.relisted or (not s.active and s.retired_at is distinct from cast(:at as timestamptz)),
    period_from = case when ${endsPeriod} then :at else s.period_from end,
    active = true,
    retired_at = null,
    last_run_id = excluded.last_run_id
  returning s.listing_id as id, s.changed_at = :at as changed`;

const retireReplaced = `
  update listing_sources set active = false, retired_at = :at
  where source_name = :source and active and source_key = any(:keys) and not (listing_id = any(cast(:ids as uuid[])))
  returning listing_id as id`;

/** Their periods end, so that their prices are never compared with those of the other key. */
const endOffers = `
  with ended as (
    update listing_sources set active = false, retired_at = :at, period_from = period_from - interval '1 millisecond'
    where source_name = :source and active and source_key = any(:keys) and last_run_id <> :run
    returning listing_id
  ), told as (
    update listing_prices p set period_from = p.period_from - interval '1 millisecond' from ended
    where p.listing_id = ended.listing_id and p.source_name = :source
  )
  select listing_id as id from ended`;

/** The latest price of an offer stays in force while it is seen again. */
const confirmPrices = `
  update listing_prices as p set confirmed_at = :at
  from json_to_recordset(cast(:prices as json)) as r(id uuid, price numeric)
    join listing_sources s on s.listing_id = r.id and s.source_name = :source
  where p.listing_id = r.id and p.source_name = :source and p.price = r.price and p.confirmed_at < :at
    and p.period_from = s.period_from and p.observed_at = (
      select max(l.observed_at) from listing_prices l where l.listing_id = r.id and l.source_name = :source)`;

const insertPrices = `
  insert into listing_prices (listing_id, source_name, observed_at, price, confirmed_at, period_from)
  select r.id, :source, :at, r.price, :at, s.period_from
  from json_to_recordset(cast(:prices as json)) as r(id uuid, price numeric)
    join listing_sources s on s.listing_id = r.id and s.source_name = :source
  where r.price is not null and r.price is distinct from (
    select case when l.period_from = s.period_from then l.price end from listing_prices l
    where l.listing_id = r.id and l.source_name = :source order by l.observed_at desc limit 1)
  on conflict (listing_id, source_name, observed_at) do nothing`;

/** Locks in the order of ids, so that two sources with the same listings cannot deadlock. */
const touchListings = `
  update listings set updated_at = :at
  from (select id from listings where id = any(:ids) order by id for update) as changed
  where listings.id = changed.id`;
