import { knownCities, stateCodes } from '../tables/cities.js';
import { subdivisionWords } from '../tables/words.js';
import { isCounty, normalizeCity } from '../normalize-city.js';
import { parseDigits } from './parse-house-number.js';
import { readStreetLine } from './read-street-line.js';
import { unitOf } from './split-unit.js';
import { isStreetAddress } from '../street-address.js';
import { tokenize } from './tokenize.js';

/** The comma-separated parts of an address, and the index of the street. */
export interface StreetParts {
  readonly segments: readonly string[];
  readonly streetIndex: number;
  /** Normalized; may be empty. */
  readonly city: string;
  readonly state: string;
}

const mailBox = /^(?:P ?O|POST OFFICE) BOX\b/;
const country = /^(?:USA?|UNITED STATES(?: OF AMERICA)?)$/;

/**
 * The parts of an address besides street and units, normalized and sorted: other street addresses (they begin with a
 * number), urbanizations, blocks, tracts and similar, and other names after the street. County, city and state do not
 * count. Before the street only parts of a subdivision count, not a building's name.
 */
export function readBeyond({ segments, streetIndex, city, state }: StreetParts): string[] {
  const parts = segments.flatMap((segment, index) => {
    if (index === streetIndex || unitOf(segment).unit !== '' || (index < streetIndex && !opensSubdivision(segment)))
      return [];
    return isPlace(segment, city, state) ? [] : readParts(segment, state);
  });
  return [...new Set(parts)].sort();
}

/** True for another street address or a part of a subdivision. */
export function cannotBeCity(segment: string): boolean {
  return opensSubdivision(segment) || (/\d/.test(segment) && isStreetAddress(segment));
}

function isPlace(segment: string, city: string, state: string): boolean {
  if (mailBox.test(segment) || country.test(segment) || isCounty(segment) || stateCodes.has(segment)) return true;
  const name = normalizeCity(segment);
  return name !== '' && (name === city || knownCities.has(`${name}, ${state}`));
}

function readParts(segment: string, state: string): string[] {
  const street = parseDigits(segment) === undefined ? undefined : readStreetLine(segment, { state });
  if (street !== undefined) return [street.unit === '' ? street.line : `${street.line} ${street.unit}`];
  const parts: string[][] = [[]];
  const tokens = tokenize(segment).filter((token) => token !== '#' && token !== 'NO');
  for (const [index, token] of tokens.entries()) {
    const opened = openedAt(tokens, index);
    if (opened === undefined) parts.at(-1)?.push(token);
    else parts.push([opened]);
  }
  return parts.map((part) => part.join(' ')).filter(Boolean);
}

function opensSubdivision(segment: string): boolean {
  return subdivisionWords.has(segment.split(' ', 1)[0] ?? '') && openedAt(tokenize(segment), 0) !== undefined;
}

/** The normalized subdivision word at `index`, if the value it needs follows. */
function openedAt(tokens: readonly string[], index: number): string | undefined {
  const kept = subdivisionWords.get(tokens[index] ?? '');
  const [next = '', second = ''] = tokens.slice(index + 1, index + 3);
  const value = next === '#' || next === 'NO' ? second : next;
  const isOpened = kept === 'URB' ? value !== '' : /^(?=.*\d)[A-Z0-9-]+$|^[A-Z]$/.test(value);
  return isOpened ? kept : undefined;
}
