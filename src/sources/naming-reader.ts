import type { Knex } from 'knex';
import { known, type Maybe, valueOf } from '../absence.js';
import { type NamedPlace, possiblePlaces } from '../counties/parcels/complete-address.js';
import { findRollPlaces, toWantedParcel } from '../counties/parcels/parcel-reader.js';
import { type Naming, namingOf } from '../policy/suppression-list.js';
import { stateFips } from '../places/metros/states.js';

/** A row of a source, and what it says of where its property lies. */
export interface NamedRecord {
  /** By the feed of its kind; undefined for a row of a parcel roll, which is no record. */
  readonly record: { readonly feed: string; readonly id: string } | undefined;
  readonly places: Naming;
}

/** Reads the four tables one after the other, by their primary keys. Nothing stays open in between. */
export function createNamingReader(knex: Knex, now: () => Date, pageSize = 1_000) {
  async function* readTable(table: Table, since: Date): AsyncGenerator<readonly NamingRow[]> {
    for (let [source, id] = ['', beforeAllIds]; ;) {
      const { rows } = await knex.raw<{ rows: NamingRow[] }>(statements[table], { source, id, since, pageSize });
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      [source, id] = [last.source_name, last.id];
    }
  }

  return {
    /**
     * What records say of where properties lie, of those that changed at or after `since`, in pages: each listing,
     * signal and auction, offered or not, with the places that the parcel rolls give for its parcel, and each row of
     * the rolls.
     */
    async *readSince(since: Date): AsyncIterable<readonly NamedRecord[]> {
      for (const table of tables) {
        const feed = feedOf[table];
        for await (const rows of readTable(table, since)) {
          // A row of a roll is the roll's word itself.
          const wanted = rows.map((row) => (table === 'parcels' ? undefined : toWanted(row)));
          const findPlaces = await findRollPlaces(
            knex,
            wanted.flatMap((parcel) => parcel ?? []),
            now(),
          );
          yield rows.map((row, index) => {
            const [own, parcel] = [toPlace(row), wanted[index]];
            const places = parcel === undefined ? [own] : possiblePlaces(own, findPlaces(parcel));
            return { record: feed === undefined ? undefined : { feed, id: row.id }, places: toNaming(row, places) };
          });
        }
      }
    },
  };
}

const tables = ['listing_sources', 'signals', 'auctions', 'parcels'] as const;
type Table = (typeof tables)[number];
/** In which feed the records of a table are published. */
const feedOf: Readonly<Record<Table, string | undefined>> = {
  listing_sources: 'deals',
  signals: 'signals',
  auctions: 'auctions',
  parcels: undefined,
};
const beforeAllIds = '00000000-0000-0000-0000-000000000000';

/** A field as one kind of record or another keeps it. */
type Kept = string | Maybe<string>;

interface NamingRow {
  readonly source_name: string;
  readonly id: string;
  readonly county_fips: string | null;
  readonly address: Kept;
  readonly city: Kept;
  /** Null in a parcel roll: its county determines it. */
  readonly state: string | null;
  readonly zip: Kept;
  readonly parcel_id: Kept;
}

function toWanted({ county_fips: county, parcel_id: parcelId }: NamingRow) {
  return toWantedParcel(county ?? '', valueOf(asMaybe(parcelId)) ?? '');
}

function toPlace({ address, city, zip }: NamingRow): NamedPlace {
  return { address: asMaybe(address), city: asMaybe(city), zip: asMaybe(zip) };
}

function asMaybe(kept: Kept): Maybe<string> {
  return typeof kept === 'string' ? known(kept) : kept;
}

function toNaming(row: NamingRow, places: readonly NamedPlace[]): Naming {
  const state = row.state ?? statesByFips.get(row.county_fips?.slice(0, 2) ?? '') ?? '';
  return namingOf({ state, countyFips: row.county_fips, parcelId: row.parcel_id }, places);
}

const statesByFips = new Map([...stateFips].map(([state, fips]) => [fips, state]));

const statements: Readonly<Record<Table, string>> = {
  listing_sources: selectNamings('listing_sources', { id: 'listing_id', key: ['listing_id', 'source_name'] }),
  signals: selectNamings('signals'),
  auctions: selectNamings('auctions'),
  // A place that a roll gives no more is none of the parcel's.
  parcels: selectNamings('parcels', { also: 'and retired_at is null' }),
};

/** What of a table's shape is its own. */
interface Shape {
  readonly id?: string;
  /** Its primary key. */
  readonly key?: readonly string[];
  readonly also?: string;
}

function selectNamings(table: Table, { id = 'id', key = ['source_name', 'id'], also = '' }: Shape = {}): string {
  const after = key.map((column) => (column === id ? ':id' : ':source'));
  return `
    select source_name, ${id} as id, county_fips, content -> 'address' as address, content -> 'city' as city,
      content ->> 'state' as state, content -> 'zip' as zip, content -> 'parcelId' as parcel_id
    from ${table}
    where (${key.join()}) > (${after.join()}) and changed_at >= :since ${also}
    order by ${key.join()} limit :pageSize`;
}
