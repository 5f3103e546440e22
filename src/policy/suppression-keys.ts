import { eachHouse } from '../places/addresses/parse/each-house.js';
import type { NormalizedAddress } from '../places/addresses/normalized-address.js';
import { renderStreetLine } from '../places/addresses/render-address.js';
import { canonicalStreetName } from '../places/addresses/compare-addresses.js';

/** In the place of a suffix, or of what stands behind the street: of whichever there is. No spelling has it. */
const any = '*';

/**
 * The spellings under which a building is suppressed:
 * - each number of a range or list by itself, by ZIP and, with a known city, by city
 * - under the street's own name, and its canonical name without blanks
 * - also with the suffix, or the text after the street, left open
 *
 * Units do not count: a suppressed flat suppresses its building.
 */
export function buildingKeys(address: NormalizedAddress): string[] {
  const named = { ...address, street: oneNameOf(address) };
  const unsaid = address.suffix === '' ? [] : [{ ...named, suffix: any }];
  const beyond = beyondOf(address);
  return keysOf([address, named, ...unsaid], beyond === '' ? [beyond] : [beyond, any]);
}

/**
 * The spellings under which a record's building is looked up:
 * - its own
 * - with the canonical name, without blanks: McKinley is Mc Kinley
 * - as if one of the two had no suffix, or no text after its street
 *
 * This matches more than the matching of records: `310 Sample` suppresses 310 Sample Ave, and 310 Sample Ave suppresses
 * `310 Sample`; 310 Sample St never suppresses 310 Sample Ave.
 */
export function soughtKeys(address: NormalizedAddress): string[] {
  const named = { ...address, street: oneNameOf(address) };
  const open = { ...named, suffix: address.suffix === '' ? any : '' };
  const beyond = beyondOf(address);
  return keysOf([address, named, open], [beyond, beyond === '' ? any : '']);
}

function oneNameOf({ street }: NormalizedAddress): string {
  return canonicalStreetName(street).replaceAll(' ', '');
}

/** What stands on the list beside a parcel: that it was asked for itself, or was carried over from its building. */
export function parcelMarks(parcel: string): { readonly asked: string; readonly carried: string } {
  return { asked: `${parcel}|itself`, carried: `${parcel}|of its building` };
}

function keysOf(spellings: readonly NormalizedAddress[], beyonds: readonly string[]): string[] {
  const keys = spellings.flatMap((spelling) =>
    eachHouse(spelling.number).flatMap((number) => {
      const line = renderStreetLine({ ...spelling, number });
      const { city, state, zip5 } = spelling;
      return [
        ...(zip5 === '' ? [] : [`${line}|${state}|${zip5}`]),
        ...(city === '' ? [] : [`${line}|${city}|${state}`]),
      ];
    }),
  );
  return [...new Set(beyonds.flatMap((beyond) => keys.map((key) => (beyond === '' ? key : `${key}|${beyond}`))))];
}

function beyondOf({ beyond = [] }: NormalizedAddress): string {
  return beyond.join('|');
}

/** The plain numbers of a building with its state: a quick test whether the spellings are worth making. */
export function numberKeys(address: NormalizedAddress): string[] {
  return eachHouse(address.number).map(({ low }) => numberKey(low, address.state));
}

/** The quick test's key of one number. */
export function numberKey(number: number, state: string): string {
  return `${number}|${state}`;
}

/** Another house number behind the first, perhaps of another street. */
const secondNumber = /(?:[,;|&\n]|\band)\s*\d/i;

/** A number that a name follows: `310 & 312`, `310 to 312` and `310 1/2` are more than they begin with. */
const plainStart = /^\s*(\d{1,7})\s+(?!(?:and|to|thru)\b)(?=[a-z])/i;

/**
 * The house number of a street line that starts with a plain number; undefined for ranges, fractions, several streets
 * and everything else that needs the normalizer.
 */
export function plainNumberOf(street: string): number | undefined {
  if (secondNumber.test(street)) return undefined;
  const [, digits] = plainStart.exec(street) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
