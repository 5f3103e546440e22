import { isKnown, valueOf } from '../absence.js';
import type { ObservedListing } from './listing.js';
import { normalizeAddress } from '../places/addresses/normalize.js';
import { isNormalizedAddress } from '../places/addresses/normalized-address.js';
import { parcelKey } from '../places/addresses/parcel.js';
import { mayBeCorrected } from '../places/addresses/same-house.js';

/** What a listing states of where its property lies. */
export interface StatedPlace extends Pick<ObservedListing, 'address' | 'city' | 'state' | 'zip' | 'parcelId'> {
  readonly countyFips: string | undefined;
}

/**
 * True when one listing's places, stated on two days, cannot be of one property. Places that share a parcel never
 * contradict each other, nor does an address that is missing or cannot be read. Source of the rule:
 * docs/decisions/addresses.md.
 */
export function contradicts(one: StatedPlace, other: StatedPlace): boolean {
  if (one.state !== other.state) return true;
  const parcel = parcelOf(one);
  if (parcel !== undefined && parcel === parcelOf(other)) return false;
  const [a, b] = [normalize(one), normalize(other)];
  return isNormalizedAddress(a) && isNormalizedAddress(b) && !mayBeCorrected(a, b);
}

function parcelOf({ countyFips, parcelId }: StatedPlace): string | undefined {
  return countyFips === undefined || !isKnown(parcelId) ? undefined : parcelKey(countyFips, parcelId.value);
}

function normalize({ address, city, state, zip }: StatedPlace) {
  return normalizeAddress({ street: valueOf(address) ?? '', city, state, zip: valueOf(zip) ?? '' });
}
