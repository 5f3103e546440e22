import { readTable } from '../../project-file.js';

/** The built-in ZIPs: about six per core county, from lowest to highest rent. */
export const coreZips: readonly { readonly zip: string; readonly countyFips: string }[] = readTable(
  'src/places/data/core-zips.csv',
  { zip: /^\d{5}$/, county_fips: /^\d{5}$/ },
).map(({ zip, county_fips: countyFips }) => ({ zip, countyFips }));

const countyByZip: ReadonlyMap<string, string> = new Map(coreZips.map(({ zip, countyFips }) => [zip, countyFips]));

/** Five-digit FIPS code of a ZIP's county; undefined when the ZIP is not built in. */
export function findCountyOfZip(zip: string): string | undefined {
  return countyByZip.get(zip);
}
