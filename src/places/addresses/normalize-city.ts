import { cityWords, leadingCityWords } from './tables/cities.js';
import { beginsWithTitle } from './parse/split-segments.js';
import { isUnit } from './parse/split-unit.js';

/**
 * Normalizes a city name (`Saint Louis` -> `ST LOUIS`, `Ft. Worth` -> `FORT WORTH`) from cleaned text. Idempotent.
 * Empty when the text cannot be a city name: a county, a unit such as `UPSTAIRS`, text that begins with `JR`.
 */
export function normalizeCity(text: string): string {
  const words = text.split(/[ -]/).filter(Boolean);
  while (words[0] === 'CITY' && words[1] === 'OF') words.splice(0, 2);
  const name = words
    .map(
      (word, index) =>
        (index === 0 && words.length > 1 ? leadingCityWords.get(word) : undefined) ?? cityWords.get(word) ?? word,
    )
    .join(' ');
  return /^[A-Z][A-Z ]{1,58}$/.test(name) && !isCounty(name) && !isUnit(name) && !beginsWithTitle(name) ? name : '';
}

/**
 * True for `CUYAHOGA COUNTY`: a county is not a city, and does not distinguish equal addresses in neighboring cities.
 */
export function isCounty(text: string): boolean {
  return text.endsWith(' COUNTY') || text.endsWith(' PARISH');
}
