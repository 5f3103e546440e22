import type { Knex } from 'knex';
import { pageIds } from '../db/page-ids.js';

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
