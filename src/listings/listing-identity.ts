import { v5 } from 'uuid';
import { isKnown, valueOf } from '../absence.js';
import type { ObservedListing } from './listing.js';
import { normalizeAddress } from '../places/addresses/normalize.js';
import { isNormalizedAddress } from '../places/addresses/normalized-address.js';

/** Namespace of all listing ids. Never change it: that would change every published id. */
const namespace = 'b6f0a4c2-5d0e-4f0b-9a3e-6f2f1c8d7e35';

/**
 * Returns the key of a listing's property, the key of its building by city for want of a ZIP, and whether the address
 * could be parsed.
 */
export type Identify = (listing: ObservedListing) => {
  readonly key: string | undefined;
  readonly building?: string | undefined;
  readonly parsed: boolean;
};

/** What a listing itself tells of which property it is of. */
export interface ListingIdentity {
  /** The id of the property, unless it is known under another one. */
  readonly id: string;
  readonly identity: string;
  /** Undefined where the address is unknown or suppressed. */
  readonly building: string | undefined;
  /** True where address or ZIP is suppressed: then the id must not be made from them. */
  readonly isSuppressed: boolean;
  readonly addressParsed: boolean;
}

/**
 * The identity of a listing: the normalized address when it and the ZIP are known, so that two sources of one property
 * share it. Else the source's own key, which matches no other source. The id is a UUID (version 5) of it, the same on
 * every machine.
 */
export function identifyListing(sourceName: string, listing: ObservedListing, identify: Identify): ListingIdentity {
  const { key, building, parsed } = identify(listing);
  const { address, zip } = listing;
  const isProperty = key !== undefined && parsed && isKnown(address) && isKnown(zip);
  const identity = isProperty ? `address:${key}` : `source:${sourceName}:${listing.sourceKey}`;
  const isSuppressed = [address, zip].some((each) => !isKnown(each) && each.absent.startsWith('suppressed'));
  return {
    id: idOf(identity),
    identity,
    building: parsed && !isSuppressed ? building : undefined,
    isSuppressed,
    addressParsed: parsed,
  };
}

/** The id that an identity gives. */
export function idOf(identity: string): string {
  return v5(identity, namespace);
}

/** Identifies a listing's property by its normalized address. */
export const identifyByAddress: Identify = ({ address, city, state, zip }) => {
  if (!isKnown(address)) return { key: undefined, parsed: false };
  const zipText = valueOf(zip);
  const normalized = normalizeAddress({
    street: address.value,
    city,
    state,
    ...(zipText === undefined ? {} : { zip: zipText }),
  });
  if (!isNormalizedAddress(normalized)) return { key: undefined, parsed: false };
  // The keys name the building; a unit sold separately is another property.
  const unit = normalized.unit === '' ? '' : `|${normalized.unit}`;
  return { key: normalized.key + unit, building: normalized.keyWithoutZip + unit, parsed: true };
};
