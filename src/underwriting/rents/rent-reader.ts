import type { Knex } from 'knex';
import { sourceChanged, sourceInForce } from '../../db/sql/source-in-force.js';
import { createHudRents } from './create-hud-rents.js';
import { carriedTables } from './carried-tables.js';
import type { HudRents } from './rent-types.js';
import type { HudRentRow } from './merge-rents.js';
import type { RentTable } from './rent-table.js';
import { createReadLoadedTables, readLoadedHeaders, wasTableLoaded } from './rent-tables-store.js';

/** Public reads of HUD rents. */
export interface RentReader {
  /** Loads the rents in force and answers from memory. Reload after rents arrive or a licence ends. */
  loadRents(now: Date): Promise<HudRents>;
  /** The tables that the project carries and those that an operator loaded. */
  readTables(): Promise<readonly RentTable[]>;
  /**
   * True when a table was loaded, or the licence of a rent source began, changed or ended, at or after `since`: that
   * can affect any deal.
   */
  changedSince(since: Date, now: Date): Promise<boolean>;
}

/**
 * Reads the tables of rents, and the rents of sources that are configured, have a licence in force and may resell. Of
 * several such sources, the one whose figures changed last counts. A source without a licence stops counting at once.
 * Tables count when no source does.
 */
export function createRentReader(knex: Knex): RentReader {
  const readLoadedTables = createReadLoadedTables(knex);
  const readTables = async () => [...carriedTables(), ...(await readLoadedTables())];
  return {
    readTables,
    async loadRents(now) {
      const { rows } = await knex.raw<{ rows: HudRentRow[] }>(rentsInForce, { now });
      const delivered = rows.map(
        ({ area_kind: areaKind, area_code: areaCode, fiscal_year: fiscalYear, area, source_name: source, ...row }) => ({
          ...{ areaKind, areaCode, fiscalYear, area, source },
          rents: [row.rent_0br, row.rent_1br, row.rent_2br, row.rent_3br, row.rent_4br] as const,
        }),
      );
      return createHudRents(await readTables(), delivered);
    },
    async changedSince(since, now) {
      if (await wasTableLoaded(knex, since)) return true;
      const { rows } = await knex.raw<{ rows: unknown[] }>(
        `select 1 from sources src where src.delivers = 'rents' and ${sourceChanged} limit 1`,
        { since, now },
      );
      return rows.length > 0;
    },
  };
}

/** A table without its rows. */
export type TableOfRents = Pick<RentTable, 'header'>;

/** Those that the project carries and those that an operator loaded. */
export async function readTablesOfRents(knex: Knex): Promise<readonly TableOfRents[]> {
  return [...carriedTables(), ...(await readLoadedHeaders(knex))];
}

const rentsInForce = `
  select r.*
  from hud_rents r join sources src on src.name = r.source_name
  where ${sourceInForce}
  order by r.changed_at desc, r.source_name`;
