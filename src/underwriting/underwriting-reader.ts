import type { Knex } from 'knex';
import type { UnderwritingRow } from './underwriting-store.js';
import type { Underwriting } from './underwriting.js';

/** An underwriting as it is kept. */
export interface KeptUnderwriting {
  readonly underwriting: Underwriting;
  readonly computedAt: Date;
}

/** The public questions about underwritings. */
export interface UnderwritingReader {
  /** The underwritings of these listings by listing id; a listing that was not underwritten yet is not in the map. */
  readUnderwritings(listingIds: readonly string[]): Promise<Map<string, KeptUnderwriting>>;
}

const idsPerStatement = 200;

/** Reads the underwritings of a database. */
export function createUnderwritingReader(knex: Knex): UnderwritingReader {
  return {
    async readUnderwritings(listingIds) {
      const found = new Map<string, KeptUnderwriting>();
      for (let start = 0; start < listingIds.length; start += idsPerStatement) {
        const rows = await knex<UnderwritingRow>('underwritings')
          .select('listing_id', 'figures', 'computed_at')
          .whereIn('listing_id', listingIds.slice(start, start + idsPerStatement));
        for (const row of rows) {
          found.set(row.listing_id, { underwriting: row.figures, computedAt: row.computed_at });
        }
      }
      return found;
    },
  };
}
