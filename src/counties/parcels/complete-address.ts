import { absent, type AbsenceReason, isKnown, type Maybe } from '../../absence.js';
import type { AddressStatus, OwnAddress } from '../../places/addresses/own-address.js';

/** The location that a record names, as far as it does. */
export interface NamedPlace {
  readonly address: Maybe<string>;
  readonly city: Maybe<string>;
  readonly zip: Maybe<string>;
}

/** What the county's rolls state about one parcel. */
export interface ParcelPlaces {
  /** One per distinct situs. */
  readonly places: readonly NamedPlace[];
  /** True when a roll lists the parcel, with or without a situs. */
  readonly isListed: boolean;
  /** True when a roll of the county was read completely. */
  readonly isRollComplete: boolean;
}

export interface CompletedPlace extends NamedPlace {
  readonly addressStatus: AddressStatus;
}

const reasons: Readonly<Record<Exclude<AddressStatus, 'complete' | 'suppressed'>, AbsenceReason>> = {
  pending_parcel_lookup: 'pending_parcel_lookup',
  parcel_lookup_failed: 'parcel_lookup_failed',
  no_situs_address: 'no_situs_address',
  ambiguous: 'ambiguous_match',
};

/**
 * A record's street address, its own or from the parcel roll, or exactly why there is none. `judged` is the result of
 * `judgeOwnAddress`. `address` is known if and only if the status is `complete`. Source of the rule:
 * docs/decisions/addresses.md.
 *
 * Nothing is guessed: several different situs give no address, and an address that the record suppresses is not looked
 * up.
 */
export function completeAddress(own: NamedPlace, judged: OwnAddress, parcel: ParcelPlaces): CompletedPlace {
  if (judged === 'usable' && isKnown(own.address)) return { ...pick(own), addressStatus: 'complete' };
  if (judged === 'suppressed') return { ...pick(own), addressStatus: 'suppressed' };
  const [place] = parcel.places;
  if (parcel.places.length === 1 && place !== undefined && isKnown(place.address))
    return { ...completedBy(own, place), addressStatus: 'complete' };
  const addressStatus = statusWithout(judged, parcel);
  return { ...pick(own), address: absent(reasons[addressStatus]), addressStatus };
}

/** Every possible location of a record: its own, even if not shown, and each that the roll gives for its parcel. */
export function possiblePlaces(own: NamedPlace, parcel: ParcelPlaces): NamedPlace[] {
  return [own, ...parcel.places.map((place) => completedBy(own, place))];
}

/** A location from the roll; the record fills in what the roll omits. */
function completedBy(own: NamedPlace, { address, city, zip }: NamedPlace): NamedPlace {
  return { address, city: isKnown(city) ? city : own.city, zip: isKnown(zip) ? zip : own.zip };
}

function statusWithout(judged: OwnAddress, parcel: ParcelPlaces): keyof typeof reasons {
  if (parcel.places.length > 1) return 'ambiguous';
  if (parcel.isListed || judged === 'none') return 'no_situs_address';
  return parcel.isRollComplete ? 'parcel_lookup_failed' : 'pending_parcel_lookup';
}

function pick({ address, city, zip }: NamedPlace): NamedPlace {
  return { address, city, zip };
}
