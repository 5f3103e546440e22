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
  /** True where the project carries the figures and no source has brought them. */
  is_carried: boolean;
}

/** A row of `zip_counties`. */
export interface ZipCountyRow {
  zip: string;
  county_fips: string;
}

/** Who brings figures: a source, or the project itself, which carries some. */
export type RentOrigin = 'source' | 'carried';

/**
 * Writes rents, each in place of the one of its area and year: HUD revises its workbooks within a year. But what the project
 * carries is no revision of what a source has brought.
 */
export async function upsertRents(knex: Knex, rents: readonly AreaRents[], origin: RentOrigin): Promise<void> {
  const rows = rents.map(({ areaKind, areaCode, fiscalYear, rents: [rent0, rent1, rent2, rent3, rent4] }) => ({
    area_kind: areaKind,
    area_code: areaCode,
    fiscal_year: fiscalYear,
    rent_0br: rent0,
    rent_1br: rent1,
    rent_2br: rent2,
    rent_3br: rent3,
    rent_4br: rent4,
    is_carried: origin === 'carried',
  }));
  const insert = knex<HudRentRow>('hud_rents')
    .insert(rows)
    .onConflict(['area_kind', 'area_code', 'fiscal_year'])
    .merge();
  await (origin === 'source' ? insert : insert.whereRaw(carriesOthers));
}

/** What is carried is written with every publication: what is the same already is left as it is. */
const carriesOthers = `hud_rents.is_carried
  and (hud_rents.rent_0br, hud_rents.rent_1br, hud_rents.rent_2br, hud_rents.rent_3br, hud_rents.rent_4br)
    is distinct from
    (excluded.rent_0br, excluded.rent_1br, excluded.rent_2br, excluded.rent_3br, excluded.rent_4br)`;

/** Writes the county of each ZIP, replacing what stood there. */
export async function upsertZipCounties(knex: Knex, zipCounties: readonly ZipCounty[]): Promise<void> {
  const rows = zipCounties.map(({ zip, countyFips }) => ({ zip, county_fips: countyFips }));
  await knex<ZipCountyRow>('zip_counties').insert(rows).onConflict('zip').merge();
}
