import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { joinWithoutZip } from './join-without-zip.js';
import { placeListings, type PlacedListing } from './place-listings.js';
import type { ListingChunk } from './listing-to-keep.js';
import { bindObserved, keepPlaced, observedRows } from './upsert-listings.js';

const batchSize = 200;

/** The reading that listings vanished from, and its time. */
export interface Departure {
  readonly sourceName: string;
  readonly runId: number;
  readonly at: Date;
}

/**
 * Saves listings of a source that reports changes; several may be of one property. The primary listing stays primary
 * until it leaves; its duplicates are saved beside it. Idempotent except for the time last seen. Pass at most 250.
 *
 * Thus no price is compared with that of another listing, and a property stays while a duplicate still offers it.
 */
export async function saveWithDuplicates(knex: Knex, chunk: ListingChunk): Promise<{ created: number }> {
  const { sourceName: source, runId, observedAt: at } = chunk;
  return inTransaction(knex, async (trx) => {
    const { listings, left, buildings } = await placeListings(trx, chunk);
    const ids = listings.map(({ id }) => id);
    const keys = listings.map(({ sourceKey }) => sourceKey);
    const { rows } = await trx.raw<{ rows: PrimaryKey[] }>(findPrimaries, { source, ids, keys });
    const primaryKeys = new Map(rows.map(({ id, key }) => [id, key]));
    const primaries: PlacedListing[] = [];
    const duplicates: PlacedListing[] = [];
    for (const listing of listings) {
      const key = primaryKeys.get(listing.id) ?? listing.sourceKey;
      primaryKeys.set(listing.id, key);
      (key === listing.sourceKey ? primaries : duplicates).push(listing);
    }
    const nowAt = new Map(listings.map(({ id, sourceKey }) => [sourceKey, id]));
    const moved = rows.filter(({ id, key }) => nowAt.has(key) && nowAt.get(key) !== id).map(({ id }) => id);
    await trx.raw(forgetDuplicates, { source, keys: primaries.map(({ sourceKey }) => sourceKey) });
    if (duplicates.length > 0) await trx.raw(keepDuplicates, { ...bindObserved(duplicates), source, at, run: runId });
    await promote(trx, moved, { sourceName: source, at });
    const leaving = duplicates.map(({ sourceKey }) => sourceKey);
    const joined = duplicates.map(({ id }) => id);
    if (leaving.length > 0 && moved.length > 0) await trx.raw(retireLeft, { source, keys: leaving, ids: joined, at });
    const created = await keepPlaced(trx, chunk, primaries, left);
    await joinWithoutZip(trx, buildings, at);
    return { created };
  });
}

/** Marks duplicates whose rows a reading contained but could not parse: they have not vanished. */
export async function keepUnreadDuplicates(
  knex: Knex,
  sourceName: string,
  runId: number,
  keys: readonly string[],
): Promise<void> {
  await knex('duplicate_listings')
    .where({ source_name: sourceName })
    .whereIn('source_key', keys)
    .update({ last_run_id: runId });
}

/**
 * Call before listings with these keys retire: deletes the duplicates among them, and promotes a duplicate of each
 * primary listing among them.
 */
export async function promoteForKeys(knex: Knex, keys: readonly string[], departure: Departure): Promise<void> {
  const source = departure.sourceName;
  await inTransaction(knex, async (trx) => {
    await trx.raw(forgetDuplicates, { source, keys: [...keys] });
    const { rows } = await trx.raw<{ rows: PrimaryKey[] }>(findPrimaries, { source, ids: [], keys: [...keys] });
    await promote(
      trx,
      rows.map(({ id }) => id),
      departure,
    );
  });
}

/**
 * Like `promoteForKeys`, for the listings that a complete reading lacked, or last contained before `oldest`. Works in
 * batches of 200 and awaits `yieldTurn` between them.
 */
export async function promoteForVanished(
  knex: Knex,
  departure: Departure & { readonly oldest: Date; readonly yieldTurn: () => Promise<void> },
): Promise<void> {
  const { sourceName: source, runId: run, oldest, yieldTurn } = departure;
  for (let count = batchSize; count === batchSize; await yieldTurn()) {
    const gone = await knex.raw<{ rows: unknown[] }>(forgetVanished, { source, run, batchSize });
    count = gone.rows.length;
  }
  for (;;) {
    const { rows } = await knex.raw<{ rows: { id: string }[] }>(findVanished, { source, run, oldest, batchSize });
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await inTransaction(knex, (trx) => promote(trx, ids, departure));
    await yieldTurn();
  }
}

/** Makes each property's oldest duplicate its primary listing, with prices of its own. */
async function promote(trx: Knex, ids: readonly string[], { sourceName, at }: Omit<Departure, 'runId'>): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(promoteSuccessors, {
    source: sourceName,
    ids: [...ids],
    at,
  });
  if (rows.length > 0) await trx.raw(beginPrices, { source: sourceName, ids: rows.map(({ id }) => id), at });
}

interface PrimaryKey {
  readonly id: string;
  readonly key: string;
}

const findPrimaries = `
  select listing_id as id, source_key as key from listing_sources
  where source_name = :source and active
    and (listing_id = any(cast(:ids as uuid[])) or source_key = any(cast(:keys as text[])))`;

const forgetDuplicates = `delete from duplicate_listings where source_name = :source and source_key = any(cast(:keys as text[]))`;

const keepDuplicates = `
  insert into duplicate_listings as b (source_name, source_key, listing_id, identity, building, content, content_hash,
    address_parsed, county_fips, last_seen_at, first_run_id, last_run_id)
  select :source, r.source_key, r.id, r.identity, r.building, cast(r.content as jsonb), r.content_hash,
    r.address_parsed, r.county_fips, :at, :run, :run
  from ${observedRows}
  on conflict (source_name, source_key) do update set
    listing_id = excluded.listing_id,
    identity = excluded.identity,
    building = excluded.building,
    content = excluded.content,
    content_hash = excluded.content_hash,
    address_parsed = excluded.address_parsed,
    county_fips = excluded.county_fips,
    last_seen_at = excluded.last_seen_at,
    first_run_id = case when b.listing_id = excluded.listing_id then b.first_run_id else excluded.first_run_id end,
    last_run_id = excluded.last_run_id`;

const forgetVanished = `
  delete from duplicate_listings where (source_name, source_key) in (
    select source_name, source_key from duplicate_listings
    where source_name = :source and last_run_id <> :run limit :batchSize)
  returning 1`;

const findVanished = `
  select s.listing_id as id from listing_sources s
  where s.source_name = :source and s.active and (s.last_run_id <> :run or s.last_seen_at < :oldest)
    and exists (
      select 1 from duplicate_listings b where b.source_name = s.source_name and b.listing_id = s.listing_id)
  order by s.listing_id limit :batchSize`;

const promoteSuccessors = `
  with heirs as (
    select distinct on (b.listing_id) b.* from duplicate_listings b
    where b.source_name = :source and b.listing_id = any(:ids)
    order by b.listing_id, b.first_run_id, b.source_key
  ), taken as (
    delete from duplicate_listings b using heirs h where b.source_name = h.source_name and b.source_key = h.source_key
  ), shown as (
    update listing_sources s set
      source_key = h.source_key,
      identity = h.identity,
      building = h.building,
      content = h.content,
      content_hash = h.content_hash,
      address_parsed = h.address_parsed,
      county_fips = h.county_fips,
      last_seen_at = h.last_seen_at,
      changed_at = :at,
      last_run_id = h.last_run_id,
      period_from = :at
    from heirs h where s.listing_id = h.listing_id and s.source_name = h.source_name
    returning s.listing_id
  )
  update listings set updated_at = :at from shown where listings.id = shown.listing_id returning listings.id`;

const beginPrices = `
  insert into listing_prices as p (listing_id, source_name, observed_at, price, confirmed_at, period_from)
  select s.listing_id, s.source_name, :at, n.price, :at, s.period_from
  from listing_sources s
  cross join lateral (select cast(s.content -> 'listPrice' ->> 'value' as numeric) as price) n
  where s.source_name = :source and s.listing_id = any(:ids) and n.price is not null
  on conflict (listing_id, source_name, observed_at) do update set
    price = excluded.price, period_from = excluded.period_from`;

/** Retires listings that still have a key under their former property, except those just promoted. */
const retireLeft = `
  with retired as (
    update listing_sources set active = false, retired_at = :at
    where source_name = :source and active and source_key = any(:keys) and listing_id <> all(cast(:ids as uuid[]))
    returning listing_id
  )
  update listings set updated_at = :at from retired where listings.id = retired.listing_id`;
