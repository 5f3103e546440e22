import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { isKnown, valueOf } from '../absence.js';
import { joinTexts, splitTexts } from '../db/sql/joined-texts.js';
import { inTransaction } from '../db/transaction.js';
import type { ListingIdentity } from './listing-identity.js';
import type { ObservedListing } from './listing.js';

/** An observation with its property. */
export interface IdentifiedListing extends ListingIdentity {
  readonly observed: ObservedListing;
  readonly countyFips: string | undefined;
}

/** An observation as stored. */
export interface ListingToKeep extends ListingIdentity {
  readonly sourceKey: string;
  /** JSON. */
  readonly content: string;
  readonly contentHash: string;
  readonly complete: boolean;
  /** Undefined when unknown, like `price`. */
  readonly countyFips: string | undefined;
  readonly price: string | undefined;
}

/** Listings that one source showed in one run, each at most once. */
export interface ListingChunk {
  readonly sourceName: string;
  readonly runId: number;
  readonly observedAt: Date;
  readonly listings: readonly ListingToKeep[];
}

/** Prepares an observation for storage: the work that needs no database. */
export function toListingToKeep({ observed, ...identified }: IdentifiedListing): ListingToKeep {
  const { addressParsed, countyFips } = identified;
  const content = JSON.stringify(observed);
  return {
    ...identified,
    sourceKey: observed.sourceKey,
    content,
    contentHash: hash('sha256', `${addressParsed} ${countyFips} ${content}`, 'base64url'),
    complete: isCompleteObservation(observed),
    price: valueOf(observed.listPrice),
  };
}

/**
 * Saves a source's listings: one row per property, per property and source, and per price. One short transaction of at
 * most six statements. Idempotent except for the time last seen. Pass at most 250 listings.
 *
 * Prices are kept per source, so that disagreeing sources never look like a price cut. One source key is one listing:
 * when its property changes, as by a corrected address, the former listing retires.
 */
export async function upsertListings(knex: Knex, chunk: ListingChunk): Promise<{ created: number; changed: number }> {
  if (chunk.listings.length === 0) return { created: 0, changed: 0 };
  const { observedAt: at, sourceName: source, runId: run } = chunk;
  const all = [...chunk.listings].sort((one, other) => (one.id < other.id ? -1 : 1));
  const ids = all.map(({ id }) => id);
  const keys = all.map(({ sourceKey }) => sourceKey);
  const identities = JSON.stringify(all.map(({ id, identity }) => ({ id, identity })));
  const observed = bindObserved(all);
  return inTransaction(knex, async (trx) => {
    const created = await trx.raw<Returned>(insertListings, { identities, at });
    const changed = await trx.raw<Returned>(upsertSources, { ...observed, at, source, run });
    const isNew = new Set(created.rows.map(({ id }) => id));
    const known = all.filter(({ id }) => !isNew.has(id));
    if (known.length > 0) await trx.raw(confirmPrices, { prices: pricesOf(known), at, source });
    await trx.raw(insertPrices, { prices: pricesOf(all), at, source });
    const replaced = await trx.raw<Returned>(retireReplaced, { keys, ids, at, source });
    const touched = [...changed.rows.filter((row) => row.changed), ...replaced.rows];
    const touchedIds = touched.flatMap(({ id }) => (isNew.has(id) ? [] : id));
    if (touchedIds.length > 0) await trx.raw(touchListings, { ids: touchedIds, at });
    return { created: created.rows.length, changed: touched.length };
  });
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

function toRow({ id, sourceKey, contentHash, complete, addressParsed, countyFips }: ListingToKeep) {
  return {
    id,
    source_key: sourceKey,
    content_hash: contentHash,
    complete,
    address_parsed: addressParsed,
    county_fips: countyFips,
  };
}

function pricesOf(listings: readonly ListingToKeep[]): string {
  return JSON.stringify(listings.map(({ id, price }) => ({ id, price })));
}

const insertListings = `
  insert into listings (id, identity, first_seen_at, updated_at)
  select r.id, r.identity, :at, :at from json_to_recordset(cast(:identities as json)) as r(id uuid, identity text) order by r.id
  on conflict (id) do nothing
  returning id`;

/** Observations as rows `r` of a statement. */
export const observedRows = `
  rows from (
    json_to_recordset(cast(:rows as json)) as (id uuid, source_key text, content_hash text, complete boolean,
      address_parsed boolean, county_fips text),
    ${splitTexts(':contents')}) as r(id, source_key, content_hash, complete, address_parsed, county_fips, content)`;

const upsertSources = `
  insert into listing_sources as s (listing_id, source_name, source_key, content, content_hash, complete, address_parsed,
    county_fips, first_seen_at, last_seen_at, changed_at, active, relisted, last_run_id)
  select r.id, :source, r.source_key, cast(r.content as jsonb), r.content_hash, r.complete, r.address_parsed,
    r.county_fips, :at, :at, :at, true, false, :run
  from ${observedRows}
  order by r.id
  on conflict (listing_id, source_name) do update set
    source_key = excluded.source_key,
    content = excluded.content,
    content_hash = excluded.content_hash,
    complete = excluded.complete,
    address_parsed = excluded.address_parsed,
    county_fips = excluded.county_fips,
    last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at),
    changed_at = case when s.active and s.content_hash = excluded.content_hash then s.changed_at else excluded.changed_at end,
    relisted = s.relisted or (not s.active and s.retired_at is distinct from cast(:at as timestamptz)),
    active = true,
    retired_at = null,
    last_run_id = excluded.last_run_id
  returning s.listing_id as id, s.changed_at = :at as changed`;

const retireReplaced = `
  update listing_sources set active = false, retired_at = :at
  where source_name = :source and active and source_key = any(:keys) and not (listing_id = any(cast(:ids as uuid[])))
  returning listing_id as id`;

/** The latest price of a listing at a source stays in force while it is seen again. */
const confirmPrices = `
  update listing_prices as p set confirmed_at = :at
  from json_to_recordset(cast(:prices as json)) as r(id uuid, price numeric)
  where p.listing_id = r.id and p.source_name = :source and p.price = r.price and p.confirmed_at < :at
    and p.observed_at = (
      select max(l.observed_at) from listing_prices l where l.listing_id = r.id and l.source_name = :source)`;

const insertPrices = `
  insert into listing_prices (listing_id, source_name, observed_at, price, confirmed_at)
  select r.id, :source, :at, r.price, :at
  from json_to_recordset(cast(:prices as json)) as r(id uuid, price numeric)
  where r.price is not null and r.price is distinct from (
    select l.price from listing_prices l
    where l.listing_id = r.id and l.source_name = :source order by l.observed_at desc limit 1)
  on conflict (listing_id, source_name, observed_at) do nothing`;

/** Locks in the order of ids, so that two sources with the same listings cannot deadlock. */
const touchListings = `
  update listings set updated_at = :at
  from (select id from listings where id = any(:ids) order by id for update) as changed
  where listings.id = changed.id`;

/**
 * True when an observation has the facts that a deal is judged by: address, price, units, and an income (cap rate or
 * NOI).
 */
function isCompleteObservation({ address, listPrice, units, capRate, noi }: ObservedListing): boolean {
  return isKnown(address) && isKnown(listPrice) && isKnown(units) && (isKnown(capRate) || isKnown(noi));
}
