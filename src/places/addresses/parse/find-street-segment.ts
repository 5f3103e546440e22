import { parseDigits, parseHouseNumber } from './parse-house-number.js';

/**
 * Index of the comma-separated part with the street: the first that starts with digits, else the first that starts with
 * a number word (`Terminal Tower, 50 Public Sq`; `One Government Center`). Undefined without either.
 */
export function findStreetSegment(segments: readonly string[]): number | undefined {
  const byDigits = segments.findIndex((segment) => parseDigits(segment) !== undefined);
  if (byDigits >= 0) return byDigits;
  const byWord = segments.findIndex((segment) => parseHouseNumber(segment) !== undefined);
  return byWord >= 0 ? byWord : undefined;
}
