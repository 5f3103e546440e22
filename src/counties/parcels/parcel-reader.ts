import type { Knex } from 'knex';
import { valueOf } from '../../absence.js';
import { parcelKey } from '../../places/addresses/parcel.js';
import { groupRows } from '../../db/sql/group-rows.js';
import { sourceInForce } from '../../db/sql/source-in-force.js';
import type { DecimalText } from '../../decimal-text.js';
import type { NamedPlace, ParcelPlaces } from './complete-address.js';
import type { ObservedParcel } from './observed-parcel.js';

/** A parcel to look up. */
export interface WantedParcel {
  readonly parcelKey: string;
  readonly countyFips: string;
}

/** A parcel as a record names it, to look up; undefined where its number is none. */
export function toWantedParcel(countyFips: string, parcelId: string): WantedParcel | undefined {
  const key = parcelKey(countyFips, parcelId);
  return key === undefined ? undefined : { parcelKey: key, countyFips };
}

/** A place and the roll it is from. */
export interface RollPlace extends NamedPlace {
  readonly sourceName: string;
}

export interface RollPlaces extends ParcelPlaces {
  readonly places: readonly RollPlace[];
  /** What the parcel is worth to its county, USD; undefined where the rolls state no value for it, or several. */
  readonly assessedValue: DecimalText | undefined;
}

/** A parcel of which no roll is asked. */
export const unlisted: RollPlaces = { places: [], assessedValue: undefined, isListed: false, isRollComplete: false };

/** Questions to the parcel rolls whose licence is in force. */
export interface ParcelReader {
  /** What the rolls say of some parcels; the answer knows every parcel that was asked for. */
  findPlaces(parcels: readonly WantedParcel[]): Promise<(parcel: WantedParcel) => RollPlaces>;
}

/** Reads what rolls say of parcels. Two rolls that write one situs alike count as one place. */
export function createParcelReader(knex: Knex, now: () => Date): ParcelReader {
  return {
    async findPlaces(parcels) {
      if (parcels.length === 0) return () => unlisted;
      const keys = [...new Set(parcels.map(({ parcelKey }) => parcelKey))];
      const { rows } = await knex.raw<{ rows: ParcelRow[] }>(parcelRows, { keys, now: now() });
      const { rows: rolls } = await knex.raw<{ rows: { county_fips: string }[] }>(completeRolls, { now: now() });
      const complete = new Set(rolls.map((roll) => roll.county_fips));
      const byKey = groupRows(rows, ({ parcel_key: key }) => key);
      return ({ parcelKey, countyFips }) => {
        const listed = byKey.get(parcelKey) ?? [];
        return {
          places: placesOf(listed),
          assessedValue: assessedValueOf(listed),
          isListed: listed.length > 0,
          isRollComplete: complete.has(countyFips),
        };
      };
    },
  };
}

function placesOf(rows: readonly ParcelRow[]): RollPlace[] {
  const places = new Map<string, RollPlace>();
  for (const { situs, content, source_name: sourceName } of rows) {
    const { address, city, zip } = content;
    if (situs !== null && !places.has(situs)) places.set(situs, { address, city, zip, sourceName });
  }
  return [...places.values()];
}

function assessedValueOf(rows: readonly ParcelRow[]): DecimalText | undefined {
  const [value, ...others] = new Set(rows.flatMap(({ content }) => valueOf(content.assessedValue) ?? []));
  return others.length === 0 ? value : undefined;
}

interface ParcelRow {
  readonly parcel_key: string;
  readonly source_name: string;
  readonly situs: string | null;
  readonly content: ObservedParcel;
}

const parcelRows = `
  select p.parcel_key, p.source_name, p.situs, p.content from parcels p join sources src on src.name = p.source_name
  where p.parcel_key = any(:keys) and p.retired_at is null and ${sourceInForce}
  order by p.parcel_key, p.changed_at desc, p.source_name`;

const completeRolls = `
  select distinct r.county_fips from parcel_rolls r join sources src on src.name = r.source_name where ${sourceInForce}`;
