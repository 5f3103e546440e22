import type { Knex } from 'knex';
import { groupRows } from '../db/sql/group-rows.js';
import { pageIds } from '../db/sql/page-ids.js';
import { sourceChanged, sourceInForce } from '../db/sql/source-in-force.js';
import { type Naming, namingOf, type SuppressionList, withUnshownPlaces } from '../policy/suppression-list.js';
import type { Listing } from './listing.js';
import { type ListingRow, type PriceRow, rowToListing } from './row-to-listing.js';

/** A changed listing; `listing` is undefined when it may no longer be offered. */
export interface ListingChange {
  readonly id: string;
  readonly listing: Listing | undefined;
}

export type ListingReader = ReturnType<typeof createListingReader>;

const pageSize = 100;

/**
 * Reads listings whose source is configured, has a licence in force and may resell. Of several such sources of a
 * property the one that first showed it speaks, until it goes or its licence ends; then the next.
 *
 * Fields that the licence does not show are absent. A suppressed address or parcel is not offered, nor what another
 * source names so; when the suppression list grew, all listings count as changed.
 */
export function createListingReader(knex: Knex, now: () => Date, suppression?: SuppressionList) {
  const readListings = async (ids: readonly string[]): Promise<Listing[]> =>
    (await readOffered(knex, ids, now())).flatMap(({ listing, naming }) =>
      suppression !== undefined && naming.some(suppression.isSuppressed) ? [] : withUnshownPlaces(listing, naming),
    );
  const readChanges = async (ids: readonly string[]): Promise<ListingChange[]> => {
    const listings = new Map((await readListings(ids)).map((listing) => [listing.id, listing]));
    return ids.map((id) => ({ id, listing: listings.get(id) }));
  };
  return {
    /** All listings that may be offered, in chunks of at most 100, ordered by id. */
    async *readActive(): AsyncIterable<readonly Listing[]> {
      await suppression?.refresh();
      for await (const ids of pageIds(knex, allIds, {}, pageSize)) {
        const listings = await readListings(ids);
        if (listings.length > 0) yield listings;
      }
    },
    /** Number of listings that a source shows; some may not be offered. */
    async countActive(): Promise<number> {
      const { rows } = await knex.raw<{ rows: { count: string }[] }>(countActive);
      return Number(rows[0]?.count ?? 0);
    },
    /**
     * The listings whose content, price, presence or source licence changed at or after `since`, the licence also of a
     * former source, if it shows less. Seeing a listing again unchanged is no change.
     */
    async *changedSince(since: Date): AsyncIterable<readonly ListingChange[]> {
      await suppression?.refresh();
      for await (const ids of pageIds(knex, changedIds, { now: now(), since }, pageSize)) yield await readChanges(ids);
    },
    /** The given listings in chunks of at most 100, in the given order. */
    async *readSome(ids: readonly string[]): AsyncIterable<readonly ListingChange[]> {
      await suppression?.refresh();
      for (let start = 0; start < ids.length; start += pageSize)
        yield await readChanges(ids.slice(start, start + pageSize));
    },
    /**
     * Ids of listings, offered or not, at a house number in a ZIP, by place keys (see `placeKeys`; other keys find
     * nothing). Pass only a few keys.
     */
    async listAtHouseNumbers(placeKeys: readonly string[]): Promise<readonly string[]> {
      const places = placeKeys.flatMap((key) => {
        const [, state, zip, number] = /^([A-Z]{2})\|(\d{5})\|(.+)$/.exec(key) ?? [];
        return number === undefined ? [] : { begin: `address:${number}`, end: `|${String(state)}|${String(zip)}` };
      });
      if (places.length === 0) return [];
      const { rows } = await knex.raw<{ rows: { id: string }[] }>(atNumbers, { places: JSON.stringify(places) });
      return rows.map(({ id }) => id);
    },
    /**
     * The given listings whose source key now belongs to another property, each with the current id; and those that
     * are or were one property with another listing, with its id.
     */
    async findReplaced(
      ids: readonly string[],
      transaction = knex,
    ): Promise<readonly { readonly former: string; readonly current: string }[]> {
      const { rows } = await transaction.raw<{ rows: { former: string; current: string }[] }>(replaced, {
        ids,
        now: now(),
      });
      return rows;
    },
    /** The advertised cap rates of listings that may be offered, percent, by county. One statement. */
    async readCapRates(): Promise<ReadonlyMap<string, readonly string[]>> {
      const { rows } = await knex.raw<{ rows: { county_fips: string; caps: string[] }[] }>(capRates, { now: now() });
      return new Map(rows.map(({ county_fips: county, caps }) => [county, caps]));
    },
  };
}

async function readOffered(
  knex: Knex,
  ids: readonly string[],
  now: Date,
): Promise<{ readonly listing: Listing; readonly naming: Naming }[]> {
  const { rows } = await knex.raw<{ rows: ListingRow[] }>(offeredRows, { ids, now });
  const { rows: prices } = await knex.raw<{ rows: (PriceRow & PriceKey)[] }>(priceRows, { ids });
  const sources = groupRows(rows, ({ id }) => id);
  const histories = groupRows(prices, ({ listing_id: id }) => id);
  return [...sources.values()].flatMap((seen) => {
    const [first, ...others] = seen;
    if (first === undefined) return [];
    const otherwise = others.filter(({ identity }) => identity !== first.identity);
    const naming = [first, ...otherwise].flatMap(namingOfRow);
    return [{ listing: rowToListing(first, others, histories.get(first.id) ?? []), naming }];
  });
}

/** Everything that the source states about the place, including fields that must not be shown. */
function namingOfRow({ content, county_fips: countyFips }: ListingRow): Naming {
  return namingOf({ ...content, countyFips }, [content]);
}

interface PriceKey {
  readonly listing_id: string;
}

/** A blank follows the number, and "!" is the character after the blank. */
const atNumbers = `
  select distinct s.listing_id as id
  from json_to_recordset(cast(:places as json)) as r("begin" text, "end" text) join listing_sources s
    on s.identity collate "C" >= r."begin" || ' ' and s.identity collate "C" < r."begin" || '!'
  where right(s.identity, length(r."end")) = r."end"
  order by 1`;

const isOffered = `s.active and ${sourceInForce}`;

const countActive = `
  select count(*) from listings l
  where exists (select 1 from listing_sources s where s.listing_id = l.id and s.active)`;

const allIds = `select id from listings where id > :after order by id limit :pageSize`;

const changedIds = `
  select l.id from listings l
  where l.id > :after and (l.updated_at >= :since or l.id in (
    select s.listing_id from listing_sources s join sources src on src.name = s.source_name
    where s.active and ${sourceChanged} or src.narrowed_at >= :since))
  order by l.id limit :pageSize`;

/** What was sold of one before they were told apart is not sold of the other within this time. */
const isRecent = "(ended_at is null or ended_at > cast(:now as timestamptz) - interval '30 days')";

/** A former id that a source still shows remains a property. */
const replaced = `
  select * from (
    select distinct on (f.listing_id) f.listing_id as former, s.listing_id as current
    from listing_sources f join listing_sources s on s.source_name = f.source_name and s.source_key = f.source_key
    where f.listing_id = any(cast(:ids as uuid[])) and s.active and s.listing_id <> f.listing_id
      and not exists (
        select 1 from listing_sources o join sources src on src.name = o.source_name
        where o.listing_id = f.listing_id and o.active and ${sourceInForce})
    order by f.listing_id, s.changed_at desc, s.listing_id) as moved
  union select old_id, id from listing_aliases where old_id = any(cast(:ids as uuid[])) and ${isRecent}
  union select id, old_id from listing_aliases where id = any(cast(:ids as uuid[])) and ${isRecent}`;

const speaksFirst = 's.first_seen_at, s.source_name';

/**
 * A source that reports changes does not repeat unchanged rows: they were seen whenever the source was. Except a row
 * that a later run showed but could not read.
 */
const lastSeen = `
  case when exists (select 1 from source_runs r where r.id = s.last_run_id and r.started_at <= s.last_seen_at)
    then greatest(s.last_seen_at, src.seen_at) else s.last_seen_at end`;

/** The first row of each listing is the one that speaks. */
const offeredRows = `
  select l.id, l.first_seen_at, l.former_ids, array(
      select a.old_id from listing_aliases a where a.id = l.id and a.ended_at is null order by a.old_id) as aliases,
    s.source_name, s.identity, s.first_seen_at as source_first_seen_at, s.period_from, s.content, s.address_parsed, s.county_fips, s.relisted,
    ${lastSeen} as last_seen_at,
    src.licence_class, src.undisplayed_fields
  from listings l join listing_sources s on s.listing_id = l.id join sources src on src.name = s.source_name
  where l.id = any(:ids) and ${isOffered}
  order by l.id, ${speaksFirst}`;

const capRates = `
  select county_fips, array_agg(cap) as caps from (
    select distinct on (s.listing_id) s.county_fips,
      case when src.undisplayed_fields && '{capRate,county,zip}' then null else s.content -> 'capRate' ->> 'value' end as cap
    from listing_sources s join sources src on src.name = s.source_name
    where ${isOffered}
    order by s.listing_id, ${speaksFirst}) as offered
  where county_fips is not null and cap is not null group by county_fips`;

const priceRows = `
  select p.listing_id, p.source_name, p.period_from, p.observed_at, p.confirmed_at, cast(p.price as text) as price
  from listing_prices p where p.listing_id = any(:ids) order by p.listing_id, p.source_name, p.observed_at`;

/** Number of listings that no source offers any more. */
export async function countRetired(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { count: string }[] }>(
    'select count(*) from listings where id not in (select listing_id from listing_sources where active)',
  );
  return Number(rows[0]?.count ?? 0);
}
