import type { Knex } from 'knex';
import type { AreaKind, AreaRents, ZipCounty } from './area-rents.js';

/** A row of `hud_rents`; rents in whole USD a month. */
export interface HudRentRow {
  area_kind: AreaKind;
  area_code: string;
  fiscal_year: number;
  rent_0br: number;
  rent_1br: number;
  rent_2br: number;
  rent_3br: number;
  rent_4br: number;
}

/** A row of `zip_counties`. */
export interface ZipCountyRow {
  zip: string;
  county_fips: string;
}

/**
 * What becomes of a figure that stands where another of the same area and year comes: HUD revises its workbooks within a
 * year, but what the project carries is no revision of what a source brought.
 */
export type StandingFigures = 'replaced' | 'kept';

/** Writes rents. */
export async function upsertRents(knex: Knex, rents: readonly AreaRents[], standing: StandingFigures): Promise<void> {
  const rows = rents.map(({ areaKind, areaCode, fiscalYear, rents: [rent0, rent1, rent2, rent3, rent4] }) => ({
    area_kind: areaKind,
    area_code: areaCode,
    fiscal_year: fiscalYear,
    rent_0br: rent0,
    rent_1br: rent1,
    rent_2br: rent2,
    rent_3br: rent3,
    rent_4br: rent4,
  }));
  const insert = knex<HudRentRow>('hud_rents').insert(rows).onConflict(['area_kind', 'area_code', 'fiscal_year']);
  await (standing === 'replaced' ? insert.merge() : insert.ignore());
}

/** Writes the county of each ZIP, replacing what stood there. */
export async function upsertZipCounties(knex: Knex, zipCounties: readonly ZipCounty[]): Promise<void> {
  const rows = zipCounties.map(({ zip, countyFips }) => ({ zip, county_fips: countyFips }));
  await knex<ZipCountyRow>('zip_counties').insert(rows).onConflict('zip').merge();
}
