import type { Knex } from 'knex';
import { findChanged } from '../../db/sql/find-changed.js';
import { inTransaction } from '../../db/transaction.js';
import type { ObservedParcel } from './observed-parcel.js';
import { identifyParcel } from './parcel-identity.js';
import { pageIds } from '../../db/sql/page-ids.js';

/** Parcels from one roll, each at most once. */
export interface ParcelChunk extends ParcelReading {
  readonly parcels: readonly { readonly id: string; readonly observed: ObservedParcel }[];
}

/**
 * Saves a roll's parcels in place of its earlier rows (see `replaceParcels`). Unchanged parcels are not written.
 * Idempotent. Pass at most 200 on the embedded database.
 */
export async function mergeParcels(knex: Knex, chunk: ParcelChunk): Promise<{ created: number }> {
  if (chunk.parcels.length === 0) return { created: 0 };
  const { sourceName: source, observedAt: at } = chunk;
  const { changed, known } = await findChanged(knex, findKnown, source, chunk.parcels);
  if (changed.length === 0) return { created: 0 };
  const rows = changed.map(({ id, observed, hash }) => {
    const identity = identifyParcel(observed);
    return {
      id,
      source_key: observed.sourceKey,
      county_fips: observed.countyFips,
      parcel_key: identity?.parcelKey,
      situs: identity?.situs ?? null,
      content: observed,
      content_hash: hash,
    };
  });
  await inTransaction(knex, async (trx) => {
    await replaceParcels(trx, chunk, rows);
    await trx.raw(upsert, { rows: JSON.stringify(rows), source, at });
  });
  return { created: chunk.parcels.length - known };
}

const findKnown = `
  select id, case when retired_at is null then content_hash end as live_hash
  from parcels where source_name = :source and id = any(:ids)`;

const upsert = `
  insert into parcels as p (id, source_name, source_key, county_fips, parcel_key, situs, content, content_hash,
    first_seen_at, changed_at)
  select r.id, :source, r.source_key, r.county_fips, r.parcel_key, r.situs, r.content, r.content_hash, :at, :at
  from jsonb_to_recordset(cast(:rows as jsonb)) as r(id uuid, source_key text, county_fips text, parcel_key text,
    situs text, content jsonb, content_hash text)
  order by r.id
  on conflict (id, source_name) do update set
    source_key = excluded.source_key, situs = excluded.situs, content = excluded.content,
    content_hash = excluded.content_hash, changed_at = excluded.changed_at, retired_at = null`;

const pageSize = 1000;

/** A complete run over a roll, and the rows it showed. */
interface ParcelRun {
  readonly sourceName: string;
  readonly at: Date;
  /** Whether the run showed the row of this id, unreadable rows included. */
  readonly isShown: (id: string) => boolean;
}

/**
 * Retires the rows that a complete roll no longer shows, and records that the rolls of its counties are complete: from
 * then on, looking up a parcel not listed is `parcel_lookup_failed`. Returns the number of retired rows.
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

/** A run that has shown part of a roll, or its changes. */
interface ParcelReading {
  readonly sourceName: string;
  readonly observedAt: Date;
  /** True when the run reads changes only. */
  readonly incremental: boolean;
  /** Whether the run has shown the row of this id so far, including rows being saved. */
  readonly isShown: (id: string) => boolean;
}

/**
 * Retires the rows that new rows of the roll replace, before these are saved. A full read replaces rows of the same
 * parcel, since a new roll may number its rows differently; a read of changes replaces rows with the same key.
 *
 * A run may stop at any row, so rows that it may still show must stay. If the roll had several locations for a parcel,
 * it is unknown which one is replaced: all stay until the whole roll was read.
 */
async function replaceParcels(
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

/** Retires the rows that the roll itself reports as removed, by its keys. Returns the number of rows. */
export async function removeParcels(
  knex: Knex,
  sourceName: string,
  keys: readonly string[],
  at: Date,
): Promise<number> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(retireKeys, { source: sourceName, keys: [...keys], at });
  return rows.length;
}

/** Ids of a roll's rows under these keys. */
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
