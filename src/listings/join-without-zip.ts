import type { Knex } from 'knex';
import { groupRows } from '../db/sql/group-rows.js';
import { idOf } from './listing-identity.js';
import { mergeListings, moveListings, splitListing } from './move-listings.js';

/**
 * Lets listings without a ZIP join the property at their address in their city, if only one is known there with a ZIP.
 * Where a second becomes known, they leave it again. Buildings: the address by city and state. Call in the transaction
 * that keeps the listings. Source of the rule: docs/decisions/addresses.md.
 */
export async function joinWithoutZip(trx: Knex, buildings: readonly string[], at: Date): Promise<void> {
  if (buildings.length === 0) return;
  const asked = [...new Set(buildings)].map((building) => {
    const [line = '', , state = ''] = building.split('|');
    return { building, begin: `address:${line}|${state}|`, end: `address:${line}|${state}}` };
  });
  const { rows } = await trx.raw<{ rows: Shown[] }>(listingsAt, { buildings: JSON.stringify(asked) });
  for (const listings of groupRows(rows, ({ building }) => building).values()) {
    const withZip = listings.filter(({ identity }) => !isWithoutZip(identity));
    const properties = [...new Set(withZip.map(({ listing_id: id }) => id))];
    for (const listing of listings.filter(({ identity, active }) => isWithoutZip(identity) && active)) {
      const [only] = properties;
      if (properties.length === 1 && only !== undefined) properties[0] = await join(trx, listing, only, at);
      else if (properties.includes(listing.listing_id)) await leave(trx, listing, withZip, at);
    }
  }
}

function isWithoutZip(identity: string): boolean {
  return identity.startsWith('source:');
}

/** Returns the id that the property has then. */
async function join(trx: Knex, listing: Shown, property: string, at: Date): Promise<string> {
  const { listing_id: from, source_name: source, source_key: key } = listing;
  if (from === property) return property;
  const { rows } = await trx.raw<{ rows: unknown[] }>(isShownByOther, { property, source, key });
  if (rows.length > 0) return property;
  if (!listing.is_shared) return mergeListings(trx, [from, property], at);
  await moveListings(trx, [{ from, to: property, source, key }], at);
  return property;
}

/** If the property bears the id of the listing without a ZIP, the others leave. */
async function leave(trx: Knex, listing: Shown, withZip: readonly Shown[], at: Date): Promise<void> {
  const { listing_id: from } = listing;
  const isOwn = from === idOf(listing.identity);
  const others = withZip.filter(({ listing_id: id }) => id === from);
  const leaving = isOwn ? new Set(others.map(({ identity }) => identity)) : [listing.identity];
  for (const identity of leaving) {
    const id = idOf(identity);
    const { rows } = await trx.raw<{ rows: unknown[] }>(isInUse, { id });
    const to = rows.length === 0 ? id : idOf(`${identity} ${at.toISOString()}`);
    await splitListing(trx, { from, to, identity }, at);
  }
}

interface Shown {
  readonly building: string;
  readonly listing_id: string;
  readonly source_name: string;
  readonly source_key: string;
  readonly identity: string;
  readonly active: boolean;
  /** The property is shown by another key as well. */
  readonly is_shared: boolean;
}

const shown = `
  s.building, s.listing_id, s.source_name, s.source_key, s.identity, s.active, s.first_seen_at,
  exists (
    select 1 from listing_sources o
    where o.listing_id = s.listing_id and o.active and (o.source_name, o.source_key) <> (s.source_name, s.source_key)) as is_shared`;

const listingsAt = `
  with asked as (
    select * from json_to_recordset(cast(:buildings as json)) as r(building text, "begin" text, "end" text))
  select ${shown} from asked r join listing_sources s
    on s.identity collate "C" >= r."begin" and s.identity collate "C" < r."end" and s.building = r.building
  union all
  select ${shown} from asked r join listing_sources s on s.building = r.building and s.identity like 'source:%'
  order by first_seen_at, source_name`;

const isShownByOther = `
  select 1 from listing_sources
  where listing_id = :property and source_name = :source and source_key <> :key and active`;

const isInUse = 'select 1 from listing_sources where listing_id = :id and active';
