import { directionals, plainSuffixes, streetSuffixes } from '../tables/words.js';
import { knownCities, longestCityWords } from '../tables/cities.js';
import { findHighway } from './find-highway.js';
import { normalizeCity } from '../normalize-city.js';
import { parseHouseNumber } from './parse-house-number.js';
import { areUnits, unitLengthAt } from './split-unit.js';
import { tokenize } from './tokenize.js';

/** Street and city of a line without a comma between them. */
export interface StreetAndCity {
  readonly street: string;
  /** Empty when the line is only a street. */
  readonly city: string;
}

/**
 * Splits `118 N CLARK ST CHICAGO`; undefined when the text after the street is not a city. A line with neither a known
 * city nor a suffix counts as a street alone.
 */
export function splitCity(text: string, state: string): StreetAndCity | undefined {
  return splitAtKnownCity(text, state) ?? splitBehindStreet(text);
}

function splitAtKnownCity(text: string, state: string): StreetAndCity | undefined {
  const words = text.split(' ');
  for (let count = longestCityWords; count >= 1; count -= 1) {
    const city = normalizeCity(words.slice(-count).join(' '));
    const street = words.slice(0, -count).join(' ');
    if (knownCities.has(`${city}, ${state}`) && holdsName(street)) return { street, city };
  }
  return undefined;
}

/** True when more than directionals follow the house number: `1200 N CLEVELAND` keeps its street. */
function holdsName(street: string): boolean {
  const rest = parseHouseNumber(street)?.rest ?? '';
  return tokenize(rest).some((token) => !directionals.has(token));
}

function splitBehindStreet(text: string): StreetAndCity | undefined {
  const number = parseHouseNumber(text);
  if (number === undefined) return { street: text, city: '' };
  const tokens = tokenize(number.rest);
  const highway = findHighway(tokens);
  const behindName = highway === undefined ? endOfSuffix(tokens) : endOfRun(tokens, highway.end);
  if (behindName === 0) return { street: text, city: '' };
  const end = endOfUnit(tokens, opensCity(tokens, behindName) ? behindName : behindName + 1);
  if (areUnits(tokens.slice(end))) return { street: text, city: '' };
  const city = normalizeCity(tokens.slice(end).join(' '));
  const front = text.slice(0, text.length - number.rest.length);
  return city === '' ? undefined : { street: `${front}${tokens.slice(0, end).join(' ')}`, city };
}

/**
 * False for a directional of the street: an abbreviation, one of two directions (rare in city names), or one that no
 * city follows. 12TH AVE NORTH KANSAS CITY, but BLVD N BIRMINGHAM, AVE NORTHWEST GRAND RAPIDS, AVE WEST APT 2.
 */
function opensCity(tokens: readonly string[], index: number): boolean {
  const token = tokens[index] ?? '';
  const directional = directionals.get(token);
  if (directional === undefined) return true;
  return (
    token !== directional &&
    directional.length === 1 &&
    endOfUnit(tokens, index + 1) === index + 1 &&
    index + 1 < tokens.length
  );
}

/** Index after the units at this index. The first may lack a designator, since no city starts with a digit. */
function endOfUnit(tokens: readonly string[], index: number): number {
  const start = /^\d{1,5}[A-Z]?$/.test(tokens[index] ?? '') ? index + 1 : index;
  return start + unitLengthAt(tokens, start);
}

/**
 * Index after the first plain suffix that follows a name, else after the first suffix of any kind; 0 for none. Adjacent
 * suffixes belong together: COURT ST, PARK AVE, PARK PLACE DRIVE; no city is called DRIVE.
 */
function endOfSuffix(tokens: readonly string[]): number {
  const from = directionals.has(tokens[0] ?? '') ? 2 : 1;
  const plain = tokens.findIndex((token, index) => index >= from && isPlain(token));
  if (plain >= 0) return endOfRun(tokens, plain + 1);
  const first = tokens.findIndex((token, index) => index >= from && streetSuffixes.has(token));
  // Some other suffixes are also cities (MISSION, UNION), but rarely after another suffix: SPRING VALLEY VIEW.
  const isWhole = first >= 0 && tokens.slice(first).every((token) => streetSuffixes.has(token));
  return isWhole ? tokens.length : first + 1;
}

function endOfRun(tokens: readonly string[], start: number): number {
  let end = start;
  while (isPlain(tokens[end] ?? '') && !isSaint(tokens, end)) end += 1;
  return end;
}

/** ST after another suffix and before a name is Saint: GRAND AVE ST PAUL. */
function isSaint(tokens: readonly string[], index: number): boolean {
  const next = tokens[index + 1] ?? '';
  const isName = /^[A-Z]{3}/.test(next) && !directionals.has(next) && !streetSuffixes.has(next);
  return tokens[index] === 'ST' && isName && unitLengthAt(tokens, index + 1) === 0;
}

function isPlain(token: string): boolean {
  return plainSuffixes.has(streetSuffixes.get(token) ?? '');
}
