import { valueOf, type Maybe } from '../../absence.js';
import { normalizeAddress } from '../../places/addresses/normalize.js';
import {
  isNormalizedAddress,
  type AddressNotParsed,
  type NormalizedAddress,
} from '../../places/addresses/normalized-address.js';
import { parcelKey } from '../../places/addresses/parcel.js';
import { placeKeys } from '../../places/addresses/place-keys.js';

/** The location that a record states for its property. */
export interface LocatedRecord {
  readonly address: Maybe<string>;
  readonly city: string | Maybe<string>;
  /** Two-letter USPS code. */
  readonly state: string;
  readonly zip: Maybe<string>;
  readonly countyFips: string | Maybe<string>;
  readonly parcelId: string | Maybe<string>;
}

/** A property's location in comparable form. */
export interface PropertyPlace {
  readonly address: NormalizedAddress | AddressNotParsed;
  readonly parcel: string | undefined;
  /** Lookup keys of its building and of its parcel. */
  readonly keys: readonly string[];
}

/** A record with its property's location, parsed once. */
export interface Placed<Record> {
  readonly record: Record;
  readonly place: PropertyPlace;
}

/**
 * Parses the location of a record's property. A record without address and parcel has no key, so no lookup finds it.
 */
export function placeOf(record: LocatedRecord): PropertyPlace {
  const address = normalizeAddress({
    street: valueOf(record.address) ?? '',
    city: textOf(record.city) ?? '',
    state: record.state,
    zip: valueOf(record.zip) ?? '',
  });
  const [county, parcelId] = [textOf(record.countyFips), textOf(record.parcelId)];
  const parcel = county === undefined || parcelId === undefined ? undefined : parcelKey(county, parcelId);
  const ofBuilding = isNormalizedAddress(address) ? placeKeys(address) : [];
  return { address, parcel, keys: parcel === undefined ? ofBuilding : [...ofBuilding, parcel] };
}

function textOf(value: string | Maybe<string>): string | undefined {
  return typeof value === 'string' ? value : valueOf(value);
}
