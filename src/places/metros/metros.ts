import { readTable } from '../../project-file.js';

/** A metropolitan area that the service covers, by its core county. */
export interface Metro {
  readonly name: string;
  /** Two-letter USPS code. */
  readonly state: string;
  /** Name of the core county without the word County. */
  readonly coreCounty: string;
  /** Five-digit FIPS code of the core county. */
  readonly countyFips: string;
  /** HUD's code of the fair market rent area, as of FY2026; the code survives HUD's renaming of areas. */
  readonly hudAreaCode: string;
}

/** The 29 covered metros, Midwest and Sun Belt. */
export const metros: readonly Metro[] = readTable('src/places/data/metros.csv', {
  name: /^[A-Z]/,
  state: /^[A-Z]{2}$/,
  core_county: /^[A-Z]/,
  county_fips: /^\d{5}$/,
  hud_area_code: /^METRO\w+$/,
}).map((row) => ({
  name: row.name,
  state: row.state,
  coreCounty: row.core_county,
  countyFips: row.county_fips,
  hudAreaCode: row.hud_area_code,
}));

const metroByCounty: ReadonlyMap<string, Metro> = new Map(metros.map((metro) => [metro.countyFips, metro]));

/** The metro whose core county has this five-digit FIPS code; undefined when the county is not covered. */
export function findMetroByCounty(countyFips: string): Metro | undefined {
  return metroByCounty.get(countyFips);
}

/** How queries name a metro: `kansas-city`. */
export function slugOf({ name }: Metro): string {
  return name.toLowerCase().replace('.', '').replaceAll(' ', '-');
}

const metroBySlug: ReadonlyMap<string, Metro> = new Map(metros.map((metro) => [slugOf(metro), metro]));

/** The metro that queries name so; undefined where there is none. */
export function findMetro(slug: string): Metro | undefined {
  return metroBySlug.get(slug);
}
