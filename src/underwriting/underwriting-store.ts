import type { Knex } from 'knex';
import type { Underwriting } from './underwriting.js';

/** A row of `underwritings`: the latest underwriting of a listing. */
export interface UnderwritingRow {
  listing_id: string;
  assumption_set: string;
  inputs_hash: string;
  figures: Underwriting;
  computed_at: Date;
}

/** One underwriting to keep. */
export interface NewUnderwriting {
  readonly listingId: string;
  readonly inputsHash: string;
  readonly figures: Underwriting;
}

/** The input hashes of the underwritings kept for these listings. */
export async function readInputHashes(knex: Knex, listingIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await knex<UnderwritingRow>('underwritings')
    .select('listing_id', 'inputs_hash')
    .whereIn('listing_id', listingIds);
  return new Map(rows.map((row) => [row.listing_id, row.inputs_hash]));
}

/** Keeps underwritings, each in place of the listing's earlier one. */
export async function upsertUnderwritings(
  knex: Knex,
  underwritings: readonly NewUnderwriting[],
  computedAt: Date,
): Promise<void> {
  const rows = underwritings.map(({ listingId, inputsHash, figures }) => ({
    listing_id: listingId,
    assumption_set: figures.assumptionSet,
    inputs_hash: inputsHash,
    figures,
  }));
  await knex.raw(upsert, { rows: JSON.stringify(rows), computedAt });
}

const upsert = `
  insert into underwritings (listing_id, assumption_set, inputs_hash, figures, computed_at)
  select r.listing_id, r.assumption_set, r.inputs_hash, r.figures, :computedAt
  from json_to_recordset(cast(:rows as json))
    as r(listing_id uuid, assumption_set text, inputs_hash text, figures jsonb)
  on conflict (listing_id) do update set assumption_set = excluded.assumption_set, inputs_hash = excluded.inputs_hash,
    figures = excluded.figures, computed_at = excluded.computed_at`;
