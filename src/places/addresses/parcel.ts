/** What stands in the place of a number where a record is of several parcels: `MULTIPLE PARCELS (3)`. */
const several = /MULTIPLE|SEVERAL|VARIOUS/;

const prefix = 'US:';
/** `1.23457E+13`: how programs write a long number that they have rounded. */
const exponentForm = /^\d(\.\d+)?e\+\d+$|^\d\.\d+e\d+$/i;

/** True of a number in exponent form. Several parcels or accounts may share it: it identifies none. */
export function hasLostDigits(text: string): boolean {
  return exponentForm.test(text.trim());
}

/**
 * One key for one parcel: `US:{county FIPS}:{letters and digits}`, upper case, separators removed, leading zeros kept.
 * Cook County writes `07-18-411-025-0000` in one dataset and `07184110250000` in another; both give one key. Undefined
 * when the FIPS code is not five digits or the text is no parcel number (words alone, such as `N/A`, nothing but zeros,
 * a number in exponent form, over 64 characters): records that share such a text are not of one parcel. Source of the
 * rule: docs/decisions/addresses.md.
 */
export function parcelKey(countyFips5: string, raw: string): string | undefined {
  if (!/^\d{5}$/.test(countyFips5) || raw.length > 64 || hasLostDigits(raw)) return undefined;
  const id = raw
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  return /\d/.test(id) && /[1-9A-Z]/.test(id) && !several.test(id) ? `${prefix}${countyFips5}:${id}` : undefined;
}

/** Fits the keys of parcels alone, in an SQL LIKE. */
export const parcelKeyPattern = `${prefix}%`;

/** Tells the key of a parcel from the other keys under which a record is looked up. */
export function isParcelKey(key: string): boolean {
  return key.startsWith(prefix);
}
