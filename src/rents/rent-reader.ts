import type { Knex } from 'knex';
import { createFindRent } from './create-find-rent.js';
import type { FindRent } from './hud-rent.js';
import type { HudRentRow, ZipCountyRow } from './rent-store.js';

/** The public questions about HUD rents. */
export interface RentReader {
  /** Loads what is stored now and answers from memory from then on; load again after an import. */
  loadFindRent(): Promise<FindRent>;
}

/** Reads the HUD rents of a database. */
export function createRentReader(knex: Knex): RentReader {
  return {
    async loadFindRent() {
      const rents = await knex<HudRentRow>('hud_rents').select();
      const zipCounties = await knex<ZipCountyRow>('zip_counties').select('zip', 'county_fips');
      return createFindRent(
        rents.map((row) => ({
          areaKind: row.area_kind,
          areaCode: row.area_code,
          fiscalYear: row.fiscal_year,
          rents: [row.rent_0br, row.rent_1br, row.rent_2br, row.rent_3br, row.rent_4br],
        })),
        zipCounties.map((row) => ({ zip: row.zip, countyFips: row.county_fips })),
      );
    },
  };
}
