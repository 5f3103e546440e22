import { isKnown, known, type Maybe } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import { findCountyName } from '../places/metros/county-names.js';

/** The name of a deal's county: as the source states it; where it states none, of that in which the ZIP lies. */
export function countyOfDeal({ county, countyFips }: Pick<Listing, 'county' | 'countyFips'>): Maybe<string> {
  if (isKnown(county) || !isKnown(countyFips)) return county;
  const name = findCountyName(countyFips.value);
  return name === undefined ? county : known(name);
}
