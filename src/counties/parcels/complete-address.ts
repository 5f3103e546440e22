import { absent, type AbsenceReason, isKnown, type Maybe } from '../../absence.js';
import type { AddressStatus } from '../../places/addresses/address-status.js';
import type { OwnAddress } from '../../places/addresses/own-address.js';

/** The place that a record names, as far as it does. */
export interface NamedPlace {
  readonly address: Maybe<string>;
  readonly city: Maybe<string>;
  readonly zip: Maybe<string>;
}

/** What the rolls of the county say of one parcel. */
export interface ParcelPlaces {
  /** One place for each different situs. */
  readonly places: readonly NamedPlace[];
  /** True when a roll lists the parcel, with a situs or without. */
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
 * The street address of a record, from itself or from the parcel roll, or exactly why there is none. `judged` is what
 * `judgeOwnAddress` says of the record's own. `address` is there when, and only when, the status is `complete`. Nothing
 * is guessed: several different situs give no address, and what the record itself withholds is not looked up. Source of
 * the rule: docs/decisions/addresses.md.
 */
export function completeAddress(own: NamedPlace, judged: OwnAddress, parcel: ParcelPlaces): CompletedPlace {
  if (judged === 'usable' && isKnown(own.address)) return { ...pick(own), addressStatus: 'complete' };
  if (judged === 'withheld') return { ...pick(own), addressStatus: 'suppressed' };
  const [place] = parcel.places;
  if (parcel.places.length === 1 && place !== undefined && isKnown(place.address))
    return { ...completedBy(own, place), addressStatus: 'complete' };
  const addressStatus = statusWithout(judged, parcel);
  return { ...pick(own), address: absent(reasons[addressStatus]), addressStatus };
}

/**
 * Every place at which a record may be: its own, also where that is not shown, and each that the roll gives for its
 * parcel.
 */
export function possiblePlaces(own: NamedPlace, parcel: ParcelPlaces): NamedPlace[] {
  return [own, ...parcel.places.map((place) => completedBy(own, place))];
}

/** A place of the roll; what the roll leaves out is as the record has it. */
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
