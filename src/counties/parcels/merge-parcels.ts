import type { Knex } from 'knex';
import { findChanged } from '../../db/sql/find-changed.js';
import { inTransaction } from '../../db/transaction.js';
import type { ObservedParcel } from './observed-parcel.js';
import { identifyParcel } from './parcel-identity.js';
import { type ParcelReading, replaceParcels } from './retire-parcels.js';

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
