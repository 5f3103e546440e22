import { coreZips } from './core-zips.js';

const countyByZip: ReadonlyMap<string, string> = new Map(
  Object.entries(coreZips).flatMap(([countyFips, zips]) => zips.map((zip): [string, string] => [zip, countyFips])),
);

/** Five-digit FIPS code of a ZIP's county; undefined when the ZIP is not built in. */
export function findCountyOfZip(zip: string): string | undefined {
  return countyByZip.get(zip);
}
