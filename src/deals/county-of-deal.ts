import { isKnown, known, type Maybe } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import { findCountyName } from '../places/metros/counties.js';

/** The deal's county name as the source states it, else the name of the county that contains the ZIP. */
export function countyOfDeal({ county, countyFips }: Pick<Listing, 'county' | 'countyFips'>): Maybe<string> {
  if (isKnown(county) || !isKnown(countyFips)) return county;
  const name = findCountyName(countyFips.value);
  return name === undefined ? county : known(name);
}
