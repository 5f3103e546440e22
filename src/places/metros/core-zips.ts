import { readTable } from '../../project-file.js';
import { isKnown, type Maybe } from '../../absence.js';
import { metros } from './metros.js';

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

/** Five-digit FIPS code of a place's county: from its ZIP, else the covered county of that name and state. */
export function findCountyOfPlace(place: {
  readonly zip: Maybe<string>;
  readonly county: Maybe<string>;
  readonly state: string;
}): string | undefined {
  const byZip = isKnown(place.zip) ? findCountyOfZip(place.zip.value) : undefined;
  if (byZip !== undefined || !isKnown(place.county)) return byZip;
  const name = place.county.value.toLowerCase();
  return metros.find((metro) => metro.state === place.state && metro.coreCounty.toLowerCase() === name)?.countyFips;
}
