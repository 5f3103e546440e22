import type { Knex } from 'knex';
import { isKnown, valueOf } from '../../absence.js';
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

/** A parcel to look up, from a record's county and number; undefined when the number is not valid. */
export function toWantedParcel(countyFips: string, parcelId: string): WantedParcel | undefined {
  const key = parcelKey(countyFips, parcelId);
  return key === undefined ? undefined : { parcelKey: key, countyFips };
}

/** A location and the roll that states it. */
export interface RollPlace extends NamedPlace {
  readonly sourceName: string;
}

export interface RollPlaces extends ParcelPlaces {
  readonly places: readonly RollPlace[];
  /** Assessed value by the county, USD; undefined when the rolls state none, or several. */
  readonly assessedValue: DecimalText | undefined;
  /** The rolls that state it. */
  readonly valueSourceNames: readonly string[];
}

/** The result for a parcel that is not looked up. */
export const unlisted: RollPlaces = {
  places: [],
  valueSourceNames: [],
  assessedValue: undefined,
  isListed: false,
  isRollComplete: false,
};

/**
 * Looks up parcels in the rolls whose licence is in force; the returned function answers for each of them. Rolls that
 * write one situs alike count as one location.
 */
export async function findRollPlaces(
  knex: Knex,
  parcels: readonly WantedParcel[],
  now: Date,
): Promise<(parcel: WantedParcel) => RollPlaces> {
  if (parcels.length === 0) return () => unlisted;
  const keys = [...new Set(parcels.map(({ parcelKey }) => parcelKey))];
  const { rows } = await knex.raw<{ rows: ParcelRow[] }>(parcelRows, { keys, now });
  const { rows: rolls } = await knex.raw<{ rows: { county_fips: string }[] }>(completeRolls, { now });
  const complete = new Set(rolls.map((roll) => roll.county_fips));
  const byKey = groupRows(rows, ({ parcel_key: key }) => key);
  return ({ parcelKey, countyFips }) => {
    const listed = byKey.get(parcelKey) ?? [];
    return {
      places: placesOf(listed),
      assessedValue: assessedValueOf(listed),
      valueSourceNames: listed.filter(({ content }) => isKnown(content.assessedValue)).map((row) => row.source_name),
      isListed: listed.length > 0,
      isRollComplete: complete.has(countyFips),
    };
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
