/** Text in place of a number for a record of several parcels: `MULTIPLE PARCELS (3)`. */
const several = /MULTIPLE|SEVERAL|VARIOUS/;

const prefix = 'US:';
/** `1.23457E+13`: a long number that a program rounded. */
const exponentForm = /^\d(\.\d+)?e\+\d+$|^\d\.\d+e\d+$/i;

/** True for a number in exponent form: several parcels or accounts may share it, so it identifies none. */
export function hasLostDigits(text: string): boolean {
  return exponentForm.test(text.trim());
}

/**
 * The key of a parcel: `US:{county FIPS}:{letters and digits}`, upper case, without separators, with leading zeros.
 * Cook County writes `07-18-411-025-0000` in one dataset and `07184110250000` in another; both give the same key.
 * Source of the rule: docs/decisions/addresses.md.
 *
 * Undefined when the FIPS code is not five digits, or the text is not a parcel number: only words such as `N/A`, only
 * zeros, exponent form, over 64 characters. Records that share such a text are not of one parcel.
 */
export function parcelKey(countyFips5: string, raw: string): string | undefined {
  if (!/^\d{5}$/.test(countyFips5) || raw.length > 64 || hasLostDigits(raw)) return undefined;
  const id = raw
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  return /\d/.test(id) && /[1-9A-Z]/.test(id) && !several.test(id) ? `${prefix}${countyFips5}:${id}` : undefined;
}

/** SQL LIKE pattern that matches only parcel keys. */
export const parcelKeyPattern = `${prefix}%`;

/** True for a parcel's key, among the keys of a record. */
export function isParcelKey(key: string): boolean {
  return key.startsWith(prefix);
}
