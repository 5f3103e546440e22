import { countyNamesAToM } from './county-names-a-m.js';
import { countyNamesNToW } from './county-names-n-w.js';
import { stateFips } from './state-fips.js';

/** A county or equivalent. */
export interface CountyName {
  /** Five-digit FIPS code. */
  readonly countyFips: string;
  /** Two-letter USPS code. */
  readonly state: string;
  /** Without the word County: `Cuyahoga`, but `Orleans Parish` and `St. Louis city`. */
  readonly name: string;
}

/** All counties of the 50 states and the District of Columbia. */
export const countyNames: readonly CountyName[] = Object.entries({ ...countyNamesAToM, ...countyNamesNToW }).flatMap(
  ([state, counties]) =>
    counties.split(',').map((entry) => {
      const [code, name] = [entry.trim().slice(0, 3), entry.trim().slice(4)];
      return { countyFips: `${stateFips.get(state)}${code}`, state, name };
    }),
);

const namesByFips: ReadonlyMap<string, string> = new Map(countyNames.map(({ countyFips, name }) => [countyFips, name]));

/** The name of a county, see `CountyName`; undefined for an unknown code. */
export function findCountyName(countyFips: string): string | undefined {
  return namesByFips.get(countyFips);
}
