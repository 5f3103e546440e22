import { isKnown, valueOf } from '../absence.js';
import { normalizeAddress } from '../places/addresses/normalize.js';
import { isNormalizedAddress } from '../places/addresses/normalized-address.js';
import type { Identify } from './listing-identity.js';

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
