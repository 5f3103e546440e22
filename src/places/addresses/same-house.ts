import { compareAddresses, compareNumbers, compareSubdivisions } from './compare-addresses.js';
import { eachHouse, isListOfHouses } from './parse/each-house.js';
import type { HouseNumber, NormalizedAddress } from './normalized-address.js';
import { isSameUnit } from './parse/split-unit.js';
import { marksOf, nameOf, similarFrom, trigramSimilarity } from './similar-names.js';

/**
 * True when one address may be the other as its own source corrected it: the same state and unit, numbers that are the
 * same or overlap, and streets alike in digits and letters. ZIP and city may differ. Symmetric. Proves nothing about
 * addresses of two sources. Source of the rule: docs/decisions/addresses.md.
 */
export function mayBeCorrected(a: NormalizedAddress, b: NormalizedAddress): boolean {
  const { street, preDirectional, postDirectional } = compareAddresses(a, b);
  return (
    a.state === b.state &&
    isSameUnit(a.unit, b.unit) &&
    overlap(a.number, b.number) &&
    (street !== 'conflict' || isAlike(a, b)) &&
    postDirectional !== 'conflict' &&
    preDirectional !== 'conflict' &&
    compareSubdivisions(a, b) !== 'conflict'
  );
}

function isAlike(a: NormalizedAddress, b: NormalizedAddress): boolean {
  return marksOf(a) === marksOf(b) && trigramSimilarity(nameOf(a), nameOf(b)) >= similarFrom;
}

/** Two lists overlap in a house, two ranges in a number of the same side. */
function overlap(a: HouseNumber, b: HouseNumber): boolean {
  if (compareNumbers(a, b) !== 'conflict') return true;
  if (a.fraction !== b.fraction) return false;
  if (isListOfHouses(a) || isListOfHouses(b)) {
    const houses = new Set(eachHouse(b).map(({ low }) => low));
    return eachHouse(a).some(({ low }) => houses.has(low));
  }
  return a.grid === '' && b.grid === '' && (a.low - b.low) % 2 === 0 && a.low <= b.high && b.low <= a.high;
}
