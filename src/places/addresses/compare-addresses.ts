import { eachHouse, isListOfHouses } from './parse/each-house.js';
import type { HouseNumber, NormalizedAddress } from './normalized-address.js';
import { countiesOfCities } from './tables/cities.js';
import { streetAliases, subdivisionWords } from './tables/words.js';
import { parseDigits } from './parse/parse-house-number.js';
import { marksOf } from './similar-names.js';

/** How a part that may be missing compares. */
export type Agreement = 'same' | 'missing_on_one' | 'conflict';

/** How two addresses agree; symmetric. Undefined parts of an address never count as agreement. */
export interface AddressComparison {
  /** `contains`: one range, or list, lies within the other. */
  readonly number: 'same' | 'contains' | 'conflict';
  /** `blanks`: the same letters, `McKinley` and `Mc Kinley`. */
  readonly street: 'same' | 'alias' | 'blanks' | 'conflict';
  readonly suffix: Agreement;
  readonly preDirectional: Agreement;
  readonly postDirectional: Agreement;
  readonly zip: Agreement;
  /** Only a conflict where both cities are known to lie in different counties: a ZIP has several postal cities. */
  readonly county: 'conflict' | 'unknown';
}

/** Compares two addresses part by part, street aliases resolved. */
export function compareAddresses(a: NormalizedAddress, b: NormalizedAddress): AddressComparison {
  return {
    number: compareNumbers(a.number, b.number),
    street: compareStreets(a.street, b.street),
    suffix: comparePart(a.suffix, b.suffix),
    preDirectional: comparePart(a.preDirectional, b.preDirectional),
    postDirectional: comparePart(a.postDirectional, b.postDirectional),
    zip: a.zip5 === '' ? 'missing_on_one' : comparePart(a.zip5, b.zip5),
    county: comparePart(countyOf(a), countyOf(b)) === 'conflict' ? 'conflict' : 'unknown',
  };
}

/** Of a city that lies in one county alone. */
function countyOf({ city, state }: NormalizedAddress): string {
  const [only = '', ...others] = countiesOfCities.get(`${city}, ${state}`) ?? [];
  return others.length === 0 ? only : '';
}

function comparePart(a: string, b: string): Agreement {
  if (a === b) return 'same';
  return a === '' || b === '' ? 'missing_on_one' : 'conflict';
}

function compareStreets(a: string, b: string): AddressComparison['street'] {
  if (a === b) return 'same';
  if (canonicalStreetName(a) === canonicalStreetName(b)) return 'alias';
  const isSpaced = a.replaceAll(' ', '') === b.replaceAll(' ', '') && marksOf({ street: a }) === marksOf({ street: b });
  return isSpaced ? 'blanks' : 'conflict';
}

/** Compares two house numbers: `contains` when one range, or list, lies within the other. */
export function compareNumbers(a: HouseNumber, b: HouseNumber): AddressComparison['number'] {
  if (a.fraction !== b.fraction) return 'conflict';
  if (isListOfHouses(a) || isListOfHouses(b)) return compareLists(eachHouse(a), eachHouse(b));
  if (a.grid !== b.grid) return 'conflict';
  if (a.grid !== '' || (a.low === b.low && a.high === b.high)) return 'same';
  const isOneSide = (a.low - b.low) % 2 === 0;
  return isOneSide && (contains(a, b) || contains(b, a)) ? 'contains' : 'conflict';
}

function compareLists(a: readonly HouseNumber[], b: readonly HouseNumber[]): AddressComparison['number'] {
  const [fewer, more] = a.length <= b.length ? [a, b] : [b, a];
  const names = new Set(more.map(nameOf));
  if (!fewer.every((house) => names.has(nameOf(house)))) return 'conflict';
  return a.length === b.length ? 'same' : 'contains';
}

function nameOf({ low, grid }: HouseNumber): string {
  return grid === '' ? String(low) : grid;
}

function contains(outer: HouseNumber, inner: HouseNumber): boolean {
  return outer.low <= inner.low && inner.high <= outer.high;
}

/** The canonical name of a street with several names; any other name unchanged. */
export function canonicalStreetName(street: string): string {
  return streetAliases.get(street) ?? street;
}

/** The street addresses that an address names besides its own. */
export function otherStreetsOf({ beyond = [] }: NormalizedAddress): string[] {
  return beyond.filter((part) => parseDigits(part) !== undefined);
}

/**
 * Compares the subdivisions of two addresses: `conflict` when both state the same kind of part, such as the lot,
 * differently. A name that only one of them has may or may not apply to the other.
 */
export function compareSubdivisions(a: NormalizedAddress, b: NormalizedAddress): Agreement {
  if (a.beyond === undefined && b.beyond === undefined && a.unit === b.unit) return 'same';
  const [ofA, ofB] = [partsOf(a), partsOf(b)];
  const kinds = [...new Set([...ofA.keys(), ...ofB.keys()])];
  const told = kinds.map((kind) => [kind, ofA.get(kind), ofB.get(kind)] as const);
  if (told.some(([kind, one, other]) => kind !== named && one !== undefined && other !== undefined && one !== other))
    return 'conflict';
  return told.every(([, one, other]) => one === other) ? 'same' : 'missing_on_one';
}

/** The kind of a part with only a name: a neighborhood as well as an urbanization. */
const named = '';
/** A part of a subdivision written among units: `LOT 5`, `APT 2 SECTION 5`. */
const partInUnit = new RegExp(`(?:^| )(${[...subdivisionWords.keys()].join('|')}) (\\S+(?: & \\S+)*)`, 'g');

function partsOf({ beyond = [], unit }: NormalizedAddress): Map<string, string> {
  const parts = new Map<string, string>();
  const inUnit = [...unit.matchAll(partInUnit)].map(
    ([, word = '', value = '']) => `${subdivisionWords.get(word)} ${value}`,
  );
  for (const part of new Set([...beyond, ...inUnit])) {
    if (parseDigits(part) !== undefined) continue;
    const kind = subdivisionWords.get(part.split(' ', 1)[0] ?? '') ?? named;
    parts.set(kind, [parts.get(kind), part].filter(Boolean).join(', '));
  }
  return parts;
}
