import { isKnown, known, type Maybe } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import { findMetroByCounty } from '../metros/find-metro-by-county.js';

/** The name of a deal's county: as the source states it; where it states none, of the covered county in which the ZIP lies. */
export function countyOfDeal({ county, countyFips }: Pick<Listing, 'county' | 'countyFips'>): Maybe<string> {
  if (isKnown(county) || !isKnown(countyFips)) return county;
  const name = findMetroByCounty(countyFips.value)?.coreCounty;
  return name === undefined ? county : known(name);
}
