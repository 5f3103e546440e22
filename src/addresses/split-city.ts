import { directionals } from './tables/directionals.js';
import { knownCities, longestCityWords } from './tables/known-cities.js';
import { plainSuffixes, streetSuffixes } from './tables/street-suffixes.js';
import { findHighway } from './find-highway.js';
import { normalizeCity } from './normalize-city.js';
import { parseHouseNumber } from './parse-house-number.js';
import { unitLengthAt } from './split-unit.js';
import { tokenize } from './tokenize.js';

/** Street and city of a line that has no comma between them. */
export interface StreetAndCity {
  readonly street: string;
  readonly city: string;
}

/** Splits `118 N CLARK ST CHICAGO`; undefined when the street's end cannot be told. */
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

/** True when more than directionals stands behind the house number: `1200 N CLEVELAND` keeps its street. */
function holdsName(street: string): boolean {
  const rest = parseHouseNumber(street)?.rest ?? '';
  return tokenize(rest).some((token) => !directionals.has(token));
}

function splitBehindStreet(text: string): StreetAndCity | undefined {
  const number = parseHouseNumber(text);
  if (number === undefined) return undefined;
  const tokens = tokenize(number.rest);
  let end = findHighway(tokens)?.end ?? endOfSuffix(tokens);
  if (end === 0) return undefined;
  // Only a short directional belongs to the street: 12TH AVE NORTH KANSAS CITY, but BLVD N BIRMINGHAM.
  if (directionals.has(tokens[end] ?? '') && (tokens[end] ?? '').length <= 2) end += 1;
  end += unitLengthAt(tokens, end);
  const city = normalizeCity(tokens.slice(end).join(' '));
  const front = text.slice(0, text.length - number.rest.length);
  return city === '' ? undefined : { street: `${front}${tokens.slice(0, end).join(' ')}`, city };
}

/** Index behind the first plain suffix that follows a name, or behind the first suffix of any kind; 0 for none. */
function endOfSuffix(tokens: readonly string[]): number {
  const from = directionals.has(tokens[0] ?? '') ? 2 : 1;
  const plain = tokens.findIndex((token, index) => index >= from && isPlain(token));
  if (plain < 0) return tokens.findIndex((token, index) => index >= from && streetSuffixes.has(token)) + 1;
  // A run of suffixes belongs together, as long as a city is left: COURT ST, PARK AVE.
  let end = plain + 1;
  while (isPlain(tokens[end] ?? '') && end + 1 < tokens.length) end += 1;
  return end;
}

function isPlain(token: string): boolean {
  return plainSuffixes.has(streetSuffixes.get(token) ?? '');
}
