import type { Knex } from 'knex';
import { stillStands, type UnderwritingRow } from './underwriting-store.js';
import type { Underwriting } from './underwriting.js';

/** An underwriting as it is kept. */
export interface KeptUnderwriting {
  readonly underwriting: Underwriting;
  readonly computedAt: Date;
}

/** The public questions about underwritings. */
export interface UnderwritingReader {
  /**
   * The underwritings of these listings by listing id; a listing that was not underwritten yet is not in the map, nor one
   * whose source was narrowed since: its figures may tell what must not be shown any more.
   */
  readUnderwritings(listingIds: readonly string[]): Promise<Map<string, KeptUnderwriting>>;
  /**
   * Ids of the listings whose content, or their source's licence, changed since they were underwritten, of those that were
   * not yet, and of those that were by other assumptions than this set. Some of them may not be offered.
   */
  listOverdue(assumptionSet: string, now: Date): Promise<readonly string[]>;
  /** Ids of the listings that were underwritten at or after a moment. */
  listComputedSince(since: Date): Promise<readonly string[]>;
}

const idsPerStatement = 200;

/** Reads the underwritings of a database. */
export function createUnderwritingReader(knex: Knex): UnderwritingReader {
  return {
    async readUnderwritings(listingIds) {
      const found = new Map<string, KeptUnderwriting>();
      for (let start = 0; start < listingIds.length; start += idsPerStatement) {
        const { rows } = await knex.raw<{ rows: Pick<UnderwritingRow, 'listing_id' | 'figures' | 'computed_at'>[] }>(
          selectStanding,
          { ids: listingIds.slice(start, start + idsPerStatement) },
        );
        for (const row of rows) {
          found.set(row.listing_id, { underwriting: row.figures, computedAt: row.computed_at });
        }
      }
      return found;
    },
    async listOverdue(set, now) {
      const { rows } = await knex.raw<{ rows: { id: string }[] }>(overdue, { set, now });
      return rows.map(({ id }) => id);
    },
    async listComputedSince(since) {
      const rows = await knex<UnderwritingRow>('underwritings').select('listing_id').where('computed_at', '>=', since);
      return rows.map((row) => row.listing_id);
    },
  };
}

const selectStanding = `
  select u.listing_id, u.figures, u.computed_at from underwritings u where u.listing_id = any(:ids) and ${stillStands}`;

const overdue = `
  select l.id from listings l left join underwritings u on u.listing_id = l.id
  where exists (select 1 from listing_sources s where s.listing_id = l.id and s.active)
    and (u.computed_at is null or l.updated_at >= u.computed_at or u.assumption_set <> :set or not ${stillStands} or exists (
      select 1 from listing_sources s join sources src on src.name = s.source_name
      where s.listing_id = l.id and s.active
        and (src.changed_at >= u.computed_at or (src.expires_at >= u.computed_at and src.expires_at <= :now))))
  order by l.id`;
