import type { Knex } from 'knex';
import { sourceInForce } from '../db/sql/source-in-force.js';

/** What sources deliver that is published record by record. */
export type RecordTable = 'listings' | 'signals' | 'auctions';

/** When sources ended whose rows, or some fields of them, may not be shown any more. */
export interface EndedSources {
  /** The last of them; undefined while there is none. */
  readonly latest: Date | undefined;
  /** Another text whenever something else was taken back, also by a clock that is behind. */
  readonly state: string;
  /** When the next licence ends by its date; undefined while none will. */
  readonly next: Date | undefined;
}

/**
 * SQL: when something of a source `src` was last taken back, null where nothing was: when it ended, by its licence's
 * end or by a change of it or of the configuration; or when one of its fields that was shown became one that must not
 * be.
 */
const takenBackAt = `greatest(src.narrowed_at, case when not (${sourceInForce}) then
    case when src.expires_at <= :now then greatest(src.expires_at, src.changed_at) else src.changed_at end end)`;

/** The questions about sources whose licence has ended or shows fewer fields, or that left the configuration. */
export interface EndedSourceReader {
  readEnded(now: Date): Promise<EndedSources>;
  /** Those of some records that a source shows of which something was taken back at or after `since`. */
  findTheirs(table: RecordTable, ids: readonly string[], when: { since: Date; now: Date }): Promise<readonly string[]>;
  /** Those of some sources, by name, of which something was taken back at or after `since`. */
  findEnded(names: readonly string[], when: { since: Date; now: Date }): Promise<ReadonlySet<string>>;
  /** Those of some parcels that a roll lists which ended at or after `since`. */
  findListed(parcels: LackingParcels, when: { since: Date; now: Date }): Promise<ReadonlySet<string>>;
}

/** Keys of parcels by what records lack that their rolls may have told. */
export interface LackingParcels {
  readonly unplaced: readonly string[];
  /** Only rolls that state an assessed value are meant. */
  readonly unvalued: readonly string[];
}

export function createEndedSourceReader(knex: Knex): EndedSourceReader {
  return {
    async readEnded(now) {
      const { rows } = await knex.raw<{ rows: { latest: Date | null; state: string; next: Date | null }[] }>(
        `select max(${takenBackAt}) as latest,
           md5(coalesce(string_agg(src.name || ' ' || cast(${takenBackAt} as text), ',' order by src.name), '')) as state,
           min(src.expires_at) filter (where ${sourceInForce}) as next
         from sources src`,
        { now },
      );
      const [row] = rows;
      return { latest: row?.latest ?? undefined, state: row?.state ?? '', next: row?.next ?? undefined };
    },
    async findTheirs(table, ids, { since, now }) {
      const { rowsOf, id } = recordsIn[table];
      const { rows } = await knex.raw<{ rows: { id: string }[] }>(
        `select s.${id} as id from ${rowsOf} s join sources src on src.name = s.source_name
         where s.${id} = any(:ids) and ${takenBackAt} >= :since`,
        { ids: [...ids], since, now },
      );
      return rows.map((row) => row.id);
    },
    async findEnded(names, { since, now }) {
      if (names.length === 0) return new Set();
      const { rows } = await knex.raw<{ rows: { name: string }[] }>(
        `select src.name from sources src where src.name = any(:names) and ${takenBackAt} >= :since`,
        { names: [...names], since, now },
      );
      return new Set(rows.map(({ name }) => name));
    },
    async findListed({ unplaced, unvalued }, { since, now }) {
      if (unplaced.length + unvalued.length === 0) return new Set();
      const { rows } = await knex.raw<{ rows: { key: string }[] }>(
        `select distinct p.parcel_key as key from parcels p join sources src on src.name = p.source_name
         where ${takenBackAt} >= :since and (p.parcel_key = any(:unplaced)
           or (p.parcel_key = any(:unvalued) and p.content #> '{assessedValue,value}' is not null))`,
        { unplaced: [...unplaced], unvalued: [...unvalued], since, now },
      );
      return new Set(rows.map(({ key }) => key));
    },
  };
}

const recordsIn = {
  listings: { rowsOf: 'listing_sources', id: 'listing_id' },
  signals: { rowsOf: 'signals', id: 'id' },
  auctions: { rowsOf: 'auctions', id: 'id' },
} as const;
