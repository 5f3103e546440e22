import type { Knex } from 'knex';
import { stillStands, type UnderwritingRow } from './underwriting-store.js';

/** Public reads of underwritings. */
export interface UnderwritingReader {
  /**
   * Ids of listings underwritten with other assumptions (`nameOfAssumptions`), or before a licence of a source was
   * narrowed. Some may not be offered.
   */
  listOutdated(assumptions: string): Promise<readonly string[]>;
  /** Ids of listings underwritten at or after a time. */
  listComputedSince(since: Date): Promise<readonly string[]>;
  /** Time of the oldest saved figures; undefined when there are none. */
  findOldest(): Promise<Date | undefined>;
}

/** Reads underwritings from a database. */
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
