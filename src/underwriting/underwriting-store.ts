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
    figures: JSON.stringify(figures),
    computed_at: computedAt,
  }));
  await knex('underwritings').insert(rows).onConflict('listing_id').merge();
}
