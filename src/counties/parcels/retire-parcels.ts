import type { Knex } from 'knex';
import { pageIds } from '../../db/sql/page-ids.js';

const pageSize = 1000;

/** A run that read all of a roll, and what it showed. */
export interface ParcelRun {
  readonly sourceName: string;
  readonly at: Date;
  /** Ids of all rows that were shown, those that could not be read among them. */
  readonly isShown: (id: string) => boolean;
}

/**
 * Retires the rows that a complete roll no longer shows, and notes that the roll of each of its counties was read
 * completely: from then on a parcel that it does not list has none. Returns how many rows were retired.
 */
export async function retireParcels(knex: Knex, { sourceName, at, isShown }: ParcelRun): Promise<number> {
  let retired = 0;
  for await (const page of pageIds(knex, idsOfSource, { source: sourceName }, pageSize)) {
    const gone = page.filter((id) => !isShown(id));
    if (gone.length === 0) continue;
    const { rows } = await knex.raw<{ rows: unknown[] }>(retireIds, { source: sourceName, ids: gone, at });
    retired += rows.length;
  }
  await knex.raw(completeRolls, { source: sourceName, at });
  return retired;
}

/** A run that has shown some of a roll, or what has changed in it. */
export interface ParcelReading {
  readonly sourceName: string;
  readonly observedAt: Date;
  /** True where it sees changes only. */
  readonly incremental: boolean;
  /** Whether the run has shown a row of this id so far, those included that are being kept. */
  readonly isShown: (id: string) => boolean;
}

/**
 * Retires the rows in whose place others of the roll come, before these are kept: those of the same parcel, since a
 * roll that was made anew may number its rows in another way, and where only changes are read those under the same key.
 * A run may end at any row, so that nothing goes that it may show yet: where the roll had a parcel at several places,
 * it is not known which of them another one replaces, and all stay until the whole roll was read.
 */
export async function replaceParcels(
  knex: Knex,
  { sourceName: source, observedAt: at, incremental, isShown }: ParcelReading,
  rows: readonly { readonly source_key: string; readonly parcel_key: string | undefined }[],
): Promise<void> {
  const column = incremental ? 'source_key' : 'parcel_key';
  const values = rows.flatMap((row) => row[column] ?? []);
  const former = await knex.raw<{ rows: { id: string }[] }>(idsAtOnePlace(column), { source, values });
  const ids = former.rows.map(({ id }) => id).filter((id) => !isShown(id));
  if (ids.length > 0) await knex.raw(retireIds, { source, ids, at });
}

/** Retires what a roll itself says it shows no longer, by its keys. Returns how many rows. */
export async function removeParcels(
  knex: Knex,
  sourceName: string,
  keys: readonly string[],
  at: Date,
): Promise<number> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(retireKeys, { source: sourceName, keys: [...keys], at });
  return rows.length;
}

/** Ids of the rows of a roll under these keys. */
export async function findParcelIds(knex: Knex, sourceName: string, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(idsOfKeys, { source: sourceName, keys: [...keys] });
  return rows.map(({ id }) => id);
}

const idsOfSource = `
  select id from parcels where source_name = :source and id > :after order by id limit :pageSize`;

const retireIds = `
  update parcels set retired_at = :at, changed_at = :at
  where source_name = :source and id = any(:ids) and retired_at is null returning id`;

const idsAtOnePlace = (column: 'source_key' | 'parcel_key') => `
  select unnest(array_agg(id)) as id from parcels
  where source_name = :source and ${column} = any(:values) and retired_at is null
  group by ${column} having count(distinct situs) <= 1`;

const idsOfKeys = `
  select id from parcels where source_name = :source and source_key = any(:keys) and retired_at is null`;

const retireKeys = `
  update parcels set retired_at = :at, changed_at = :at
  where source_name = :source and source_key = any(:keys) and retired_at is null returning id`;

const completeRolls = `
  insert into parcel_rolls (source_name, county_fips, completed_at)
  select distinct source_name, county_fips, cast(:at as timestamptz) from parcels
  where source_name = :source and retired_at is null
  on conflict (source_name, county_fips) do nothing`;
