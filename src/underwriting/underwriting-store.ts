import type { Knex } from 'knex';

/** A row of `underwritings`: what a listing was last underwritten on. The figures follow from it, and are not kept. */
export interface UnderwritingRow {
  listing_id: string;
  /** Of the set with the rates of the day: `nameOfAssumptions`. */
  assumption_set: string;
  inputs_hash: string;
  computed_at: Date;
}

/** One underwriting to save. */
export interface NewUnderwriting {
  readonly listingId: string;
  readonly inputsHash: string;
}

/**
 * SQL: true for an underwriting `u` made after the last narrowing of a source of its listing. An older one may use
 * fields that the licence no longer shows.
 */
export const stillStands = `u.computed_at >= coalesce((
    select max(src.narrowed_at) from listing_sources s join sources src on src.name = s.source_name
    where s.listing_id = u.listing_id), '-infinity')`;

/** The inputs' hashes of valid underwritings made at or after `since`, by listing id. */
export async function readKept(
  knex: Knex,
  listingIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, string>> {
  type Row = Pick<UnderwritingRow, 'listing_id' | 'inputs_hash'>;
  const { rows } = await knex.raw<{ rows: Row[] }>(selectStanding, { listingIds: [...listingIds], since });
  return new Map(rows.map((row) => [row.listing_id, row.inputs_hash]));
}

/** Saves underwritings on the named assumptions, each replacing the listing's previous one. */
export async function upsertUnderwritings(
  knex: Knex,
  underwritings: readonly NewUnderwriting[],
  assumptions: string,
  computedAt: Date,
): Promise<void> {
  const rows = underwritings.map(({ listingId, inputsHash }) => ({ id: listingId, hash: inputsHash }));
  await knex.raw(upsert, { rows: JSON.stringify(rows), assumptions, computedAt });
}

/** Deletes underwritings made before a time. */
export async function discardOlder(knex: Knex, before: Date): Promise<void> {
  await knex<UnderwritingRow>('underwritings').where('computed_at', '<', before).delete();
}

const selectStanding = `
  select u.listing_id, u.inputs_hash from underwritings u
  where u.listing_id = any(:listingIds) and u.computed_at >= :since and ${stillStands}`;

const upsert = `
  insert into underwritings (listing_id, assumption_set, inputs_hash, computed_at)
  select r.id, :assumptions, r.hash, :computedAt
  from json_to_recordset(cast(:rows as json)) as r(id uuid, hash text)
  on conflict (listing_id) do update set assumption_set = excluded.assumption_set, inputs_hash = excluded.inputs_hash,
    computed_at = excluded.computed_at`;
