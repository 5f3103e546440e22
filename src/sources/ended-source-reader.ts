import type { Knex } from 'knex';
import { sourceInForce } from '../db/source-in-force.js';

/** What sources deliver that is published record by record. */
export type RecordTable = 'listings' | 'signals' | 'auctions';

/** When sources ended whose rows may not be shown any more. */
export interface EndedSources {
  /** The last of them; undefined while there is none. */
  readonly latest: Date | undefined;
  readonly count: number;
}

/** SQL: when a source `src` ended that is not in force: by its licence's end, or by a change of it or of the configuration. */
const endedAt = `case when src.expires_at <= :now then greatest(src.expires_at, src.changed_at) else src.changed_at end`;

/** The questions about sources whose licence has ended, was narrowed or set to a past end, or that left the configuration. */
export interface EndedSourceReader {
  readEnded(now: Date): Promise<EndedSources>;
  /** Those of some records that a source shows which ended at or after `since`. */
  findTheirs(table: RecordTable, ids: readonly string[], when: { since: Date; now: Date }): Promise<readonly string[]>;
}

export function createEndedSourceReader(knex: Knex): EndedSourceReader {
  return {
    async readEnded(now) {
      const { rows } = await knex.raw<{ rows: { latest: Date | null; count: string }[] }>(
        `select max(${endedAt}) as latest, count(*) as count from sources src where not (${sourceInForce})`,
        { now },
      );
      return { latest: rows[0]?.latest ?? undefined, count: Number(rows[0]?.count ?? 0) };
    },
    async findTheirs(table, ids, { since, now }) {
      const { rowsOf, id } = recordsIn[table];
      const { rows } = await knex.raw<{ rows: { id: string }[] }>(
        `select s.${id} as id from ${rowsOf} s join sources src on src.name = s.source_name
         where s.${id} = any(:ids) and not (${sourceInForce}) and ${endedAt} >= :since`,
        { ids: [...ids], since, now },
      );
      return rows.map((row) => row.id);
    },
  };
}

const recordsIn = {
  listings: { rowsOf: 'listing_sources', id: 'listing_id' },
  signals: { rowsOf: 'signals', id: 'id' },
  auctions: { rowsOf: 'auctions', id: 'id' },
} as const;
