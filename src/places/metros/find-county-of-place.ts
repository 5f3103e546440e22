import { isKnown, type Maybe } from '../../absence.js';
import { findCountyOfZip } from './core-zips.js';
import { metros } from './metros.js';

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
