import { findHighway } from './parse/find-highway.js';
import { parseDigits } from './parse/parse-house-number.js';
import { readStreetLine } from './parse/read-street-line.js';
import { tokenize } from './parse/tokenize.js';

/** True for a house number and a street that ends with a suffix or a road number. */
export function isStreetAddress(text: string): boolean {
  const number = parseDigits(text);
  if (number === undefined) return false;
  return (readStreetLine(text)?.suffix ?? '') !== '' || findHighway(tokenize(number.rest)) !== undefined;
}
