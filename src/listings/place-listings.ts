import type { Knex } from 'knex';
import { contradicts } from './contradicts.js';
import { idOf } from './listing-identity.js';
import type { ObservedListing } from './listing.js';
import type { ListingChunk, ListingToKeep } from './listing-to-keep.js';
import { endAliases, mergeListings, type Move, moveListings } from './move-listings.js';

/** Listings with the ids of their properties. */
export interface PlacedListings {
  readonly listings: readonly PlacedListing[];
  /** Former properties of these source keys, which they leave. */
  readonly left: readonly string[];
  /** Buildings where a listing without a ZIP may have to join or leave a property: see `joinWithoutZip`. */
  readonly buildings: readonly string[];
}

export interface PlacedListing extends ListingToKeep {
  /** Another property, by what the source stated before under the same key. */
  readonly formerId: string | undefined;
  /** True when its source key was of this property before. */
  readonly isBound: boolean;
}

/**
 * Finds the property of each listing. A known source key keeps its property while its address does not contradict the
 * one before; another property of the same address is merged with it. A new key belongs to the property of its address,
 * or begins one. Call in the transaction that keeps the listings. Source of the rules: docs/decisions/addresses.md.
 */
export async function placeListings(trx: Knex, chunk: ListingChunk): Promise<PlacedListings> {
  const { sourceName: source, observedAt: at } = chunk;
  const asked = chunk.listings.map(({ sourceKey: key, identity, building, id }) => ({ key, identity, building, id }));
  const { rows } = await trx.raw<{ rows: Found[] }>(findProperties, { source, rows: JSON.stringify(asked) });
  const found = new Map(rows.map((row) => [row.key, row]));
  const moves: Move[] = [];
  const restored: string[] = [];
  const merged = new Map<string, string>();
  const nowOf = (id: string): string => merged.get(id) ?? id;

  async function merge(one: string, other: string): Promise<string> {
    const pair = [nowOf(one), nowOf(other)] as const;
    if (pair[0] === pair[1]) return pair[0];
    const kept = await mergeListings(trx, pair, at);
    const gone = kept === pair[0] ? pair[1] : pair[0];
    for (const [id, current] of merged) if (current === gone) merged.set(id, kept);
    merged.set(gone, kept);
    return kept;
  }

  /** An id that is of no other property. */
  function begin(
    { id, identity }: ListingToKeep,
    { is_taken, is_alias, bound_id }: Found,
    isSuppressed: boolean,
  ): string {
    const isOwn = identity.startsWith('source:');
    if (is_taken || (is_alias && !isOwn) || (id === bound_id && !isSuppressed))
      return idOf(`${identity} ${at.toISOString()}`);
    if (is_alias) restored.push(id);
    return id;
  }

  const placed: PlacedListing[] = [];
  for (const listing of chunk.listings) {
    const known = found.get(listing.sourceKey) ?? nothingKnown(listing.sourceKey);
    const { bound_id: bound, same_id: same } = known;
    const place = (id: string, formerId?: string): void =>
      void placed.push({ ...listing, id, formerId, isBound: id === bound });
    if (bound !== null && !known.is_changed) place(nowOf(bound));
    else if (listing.isSuppressed) place(begin(listing, known, true));
    else if (bound === null || isElsewhere(known, listing)) {
      const id = same === null ? begin(listing, known, false) : nowOf(same);
      place(id, same === null ? (bound ?? undefined) : undefined);
    } else if (same === null || nowOf(same) === nowOf(bound)) place(nowOf(bound));
    else if (!known.is_shared) place(await merge(bound, same));
    else {
      moves.push({ from: nowOf(bound), to: nowOf(same), source, key: listing.sourceKey });
      place(nowOf(same));
    }
  }
  if (moves.length > 0) await moveListings(trx, moves, at);
  if (restored.length > 0) await trx.raw(endAliases, { ids: restored, at });
  const listings = placed.map((listing) => ({ ...listing, id: nowOf(listing.id) }));
  return {
    listings,
    left: listings.flatMap(({ sourceKey, id }) => {
      const bound = found.get(sourceKey)?.bound_id ?? undefined;
      return bound !== undefined && nowOf(bound) !== id ? nowOf(bound) : [];
    }),
    buildings: listings.flatMap(({ sourceKey, building, identity }) => {
      const { is_changed, has_without_zip } = found.get(sourceKey) ?? nothingKnown(sourceKey);
      const isAsked = is_changed && (has_without_zip || identity.startsWith('source:'));
      return isAsked && building !== undefined ? building : [];
    }),
  };
}

function isElsewhere({ bound_content: before, bound_county: county }: Found, listing: ListingToKeep): boolean {
  if (before === null) return false;
  const now = JSON.parse(listing.content) as ObservedListing;
  return contradicts({ ...before, countyFips: county ?? undefined }, { ...now, countyFips: listing.countyFips });
}

/** What is known of a source key and of its address. */
interface Found {
  readonly key: string;
  readonly bound_id: string | null;
  /** Only where identity or building are not those of before. */
  readonly bound_content: ObservedListing | null;
  readonly bound_county: string | null;
  readonly is_changed: boolean;
  /** The property is shown by another key as well. */
  readonly is_shared: boolean;
  readonly same_id: string | null;
  /** The id that the identity gives is of another property. */
  readonly is_taken: boolean;
  readonly is_alias: boolean;
  readonly has_without_zip: boolean;
}

function nothingKnown(key: string): Found {
  const nothing = { bound_id: null, bound_content: null, bound_county: null, same_id: null };
  return {
    key,
    ...nothing,
    is_changed: true,
    is_shared: false,
    is_taken: false,
    is_alias: false,
    has_without_zip: false,
  };
}

const findProperties = `
  select r.key, b.listing_id as bound_id, c.is_changed, same.listing_id as same_id,
    case when c.is_changed then b.content end as bound_content, b.county_fips as bound_county,
    c.is_changed and exists (
      select 1 from listing_sources o
      where o.listing_id = b.listing_id and o.active and (o.source_name, o.source_key) <> (:source, r.key)) as is_shared,
    c.is_changed and exists (
      select 1 from listing_sources o where o.listing_id = r.id and o.identity <> r.identity) as is_taken,
    c.is_changed and exists (
      select 1 from listing_aliases a where a.old_id = r.id and a.ended_at is null) as is_alias,
    c.is_changed and exists (
      select 1 from listing_sources n
      where n.building = r.building and n.identity like 'source:%' and n.active) as has_without_zip
  from json_to_recordset(cast(:rows as json)) as r(key text, identity text, building text, id uuid)
  left join lateral (
    select * from (
      select s.listing_id, s.identity, s.building, s.content, s.county_fips, s.active, 0 as rank, s.changed_at
      from listing_sources s where s.source_name = :source and s.source_key = r.key
      union all
      select d.listing_id, d.identity, d.building, d.content, d.county_fips, true, 1, d.last_seen_at
      from duplicate_listings d where d.source_name = :source and d.source_key = r.key) as known
    order by active desc, rank, changed_at desc limit 1) b on true
  cross join lateral (
    select (b.identity, b.building) is distinct from (r.identity, r.building) as is_changed) c
  left join lateral (
    select s.listing_id from listing_sources s join listings l on l.id = s.listing_id
    where c.is_changed and s.identity collate "C" = r.identity and r.identity like 'address:%'
    order by s.active desc, l.first_seen_at, l.id limit 1) same on true`;
