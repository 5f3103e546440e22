import { readTable } from '../../project-file.js';
import { stateTimeZones } from './states.js';

/** A county or equivalent. */
export interface CountyName {
  /** Five-digit FIPS code. */
  readonly countyFips: string;
  /** Two-letter USPS code. */
  readonly state: string;
  /** Without the word County: `Cuyahoga`, but `Orleans Parish`, `St. Louis city` and `Guam`. */
  readonly name: string;
}

const counties = readTable('src/places/data/counties.csv', {
  fips: /^\d{5}$/,
  state: /^[A-Z]{2}$/,
  name: /^[A-Z][\p{L} .'-]+$/u,
  time_zone: /^(\w+\/\w+)?$/,
});

/** All counties of the 50 states, the District of Columbia and the territories. */
export const countyNames: readonly CountyName[] = counties.map(({ fips, state, name }) => ({
  countyFips: fips,
  state,
  name,
}));

const namesByFips: ReadonlyMap<string, string> = new Map(countyNames.map(({ countyFips, name }) => [countyFips, name]));

/** The name of a county, see `CountyName`; undefined for an unknown code. */
export function findCountyName(countyFips: string): string | undefined {
  return namesByFips.get(countyFips);
}

/** Time zones of the counties in another zone than most of their state, by FIPS code. */
export const countyTimeZones: ReadonlyMap<string, string> = new Map(
  counties.flatMap(({ fips, time_zone: zone }) => (zone === '' ? [] : [[fips, zone]])),
);

/** IANA time zone of a county by its five-digit FIPS code; undefined for a code without a state. */
export function findTimeZone(countyFips: string): string | undefined {
  if (!/^\d{5}$/.test(countyFips)) return undefined;
  return countyTimeZones.get(countyFips) ?? stateTimeZones.get(countyFips.slice(0, 2));
}
