import { readTable } from '../../project-file.js';

/** The ZIPs that the project carries itself: about six of each core county, from its cheapest to its dearest rent. */
export const coreZips: readonly { readonly zip: string; readonly countyFips: string }[] = readTable(
  'src/places/data/core-zips.csv',
  { zip: /^\d{5}$/, county_fips: /^\d{5}$/ },
).map(({ zip, county_fips: countyFips }) => ({ zip, countyFips }));

const countyByZip: ReadonlyMap<string, string> = new Map(coreZips.map(({ zip, countyFips }) => [zip, countyFips]));

/** Five-digit FIPS code of the county a ZIP lies in; undefined when the ZIP is not among those the project carries. */
export function findCountyOfZip(zip: string): string | undefined {
  return countyByZip.get(zip);
}
