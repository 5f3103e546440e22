import { eachHouse, isListOfHouses } from './parse/each-house.js';
import type { HouseNumber, NormalizedAddress } from './normalized-address.js';
import { streetAliases } from './tables/words.js';

/** How a part that may be missing compares. */
export type Agreement = 'same' | 'missing_on_one' | 'conflict';

/** How two addresses agree; symmetric. Undefined parts of an address never count as agreement. */
export interface AddressComparison {
  /** `contains`: one range, or list, lies within the other. */
  readonly number: 'same' | 'contains' | 'conflict';
  readonly street: 'same' | 'alias' | 'conflict';
  readonly suffix: Agreement;
  readonly postDirectional: Agreement;
  readonly zip: Agreement;
}

/** Compares two addresses part by part, street aliases resolved. */
export function compareAddresses(a: NormalizedAddress, b: NormalizedAddress): AddressComparison {
  return {
    number: compareNumbers(a.number, b.number),
    street: compareStreets(a.street, b.street),
    suffix: comparePart(a.suffix, b.suffix),
    postDirectional: comparePart(a.postDirectional, b.postDirectional),
    zip: a.zip5 === '' ? 'missing_on_one' : comparePart(a.zip5, b.zip5),
  };
}

function comparePart(a: string, b: string): Agreement {
  if (a === b) return 'same';
  return a === '' || b === '' ? 'missing_on_one' : 'conflict';
}

function compareStreets(a: string, b: string): AddressComparison['street'] {
  if (a === b) return 'same';
  return keptStreetName(a) === keptStreetName(b) ? 'alias' : 'conflict';
}

function compareNumbers(a: HouseNumber, b: HouseNumber): AddressComparison['number'] {
  if (a.fraction !== b.fraction) return 'conflict';
  if (isListOfHouses(a) || isListOfHouses(b)) return compareLists(eachHouse(a), eachHouse(b));
  if (a.grid !== b.grid) return 'conflict';
  if (a.grid !== '' || (a.low === b.low && a.high === b.high)) return 'same';
  const isOneSide = (a.low - b.low) % 2 === 0;
  return isOneSide && (holds(a, b) || holds(b, a)) ? 'contains' : 'conflict';
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

function holds(outer: HouseNumber, inner: HouseNumber): boolean {
  return outer.low <= inner.low && inner.high <= outer.high;
}

/** The canonical name of a street with several names; any other name unchanged. */
export function keptStreetName(street: string): string {
  return streetAliases.get(street) ?? street;
}
