import type { Knex } from 'knex';
import { stillStands, type UnderwritingRow } from './underwriting-store.js';

/** The public questions about underwritings. */
export interface UnderwritingReader {
  /**
   * Ids of the listings that were underwritten by other assumptions than this set, or on what a licence withholds now.
   * Some of them may not be offered.
   */
  listOutdated(assumptionSet: string): Promise<readonly string[]>;
  /** Ids of the listings that were underwritten at or after a moment. */
  listComputedSince(since: Date): Promise<readonly string[]>;
  /** When the oldest figures that are kept were made; undefined where there are none. */
  findOldest(): Promise<Date | undefined>;
}

/** Reads the underwritings of a database. */
export function createUnderwritingReader(knex: Knex): UnderwritingReader {
  return {
    async listOutdated(set) {
      const { rows } = await knex.raw<{ rows: { listing_id: string }[] }>(outdated, { set });
      return rows.map((row) => row.listing_id);
    },
    async listComputedSince(since) {
      const rows = await knex<UnderwritingRow>('underwritings').select('listing_id').where('computed_at', '>=', since);
      return rows.map((row) => row.listing_id);
    },
    async findOldest() {
      const row = await knex<UnderwritingRow>('underwritings')
        .min<{ oldest: Date | null }>('computed_at as oldest')
        .first();
      return row?.oldest ?? undefined;
    },
  };
}

const outdated = `
  select u.listing_id from underwritings u
  where (u.assumption_set <> :set or not ${stillStands})
    and exists (select 1 from listing_sources s where s.listing_id = u.listing_id and s.active)
  order by u.listing_id`;
