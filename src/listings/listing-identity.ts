import { v5 } from 'uuid';
import { isKnown, valueOf } from '../absence.js';
import type { ObservedListing } from './listing.js';
import { normalizeAddress } from '../places/addresses/normalize.js';
import { isNormalizedAddress } from '../places/addresses/normalized-address.js';

/** Namespace of all listing ids. Never change it: that would change every published id. */
const namespace = 'b6f0a4c2-5d0e-4f0b-9a3e-6f2f1c8d7e35';

/** Returns the key of a listing's property, and whether the address could be parsed. */
export type Identify = (listing: ObservedListing) => { readonly key: string | undefined; readonly parsed: boolean };

/** The property of a listing. */
export interface ListingIdentity {
  readonly id: string;
  readonly identity: string;
  readonly addressParsed: boolean;
}

/**
 * The identity of a listing: the normalized address when it and the ZIP are known, so that two sources of one property
 * share it. Else the source's own key, which matches no other source. The id is a UUID (version 5) of it, the same on
 * every machine.
 */
export function identifyListing(sourceName: string, listing: ObservedListing, identify: Identify): ListingIdentity {
  const { key, parsed } = identify(listing);
  const isProperty = key !== undefined && parsed && isKnown(listing.address) && isKnown(listing.zip);
  const identity = isProperty ? `address:${key}` : `source:${sourceName}:${listing.sourceKey}`;
  return { id: v5(identity, namespace), identity, addressParsed: parsed };
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
  // The key names the building; a unit sold separately is another property.
  return { key: normalized.unit === '' ? normalized.key : `${normalized.key}|${normalized.unit}`, parsed: true };
};
