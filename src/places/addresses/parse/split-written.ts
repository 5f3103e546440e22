import { stateCodes } from '../tables/cities.js';
import { cleanText } from './clean-text.js';
import { findCity } from './find-city.js';
import { isCounty, normalizeCity } from '../normalize-city.js';
import { splitSegments } from './split-segments.js';
import type { StreetAndCity } from './split-city.js';

/** Parts of an address in the spelling of its source; each is empty when unknown. */
export interface WrittenAddress extends StreetAndCity {
  /** Five digits or empty. */
  readonly zip5: string;
}

const country = /[\s,]+(?:USA?|U\.S\.(?:A\.)?|United States(?: of America)?)$/i;
/** Some ZIPs are padded to nine digits, or directly follow the state. */
const zipAtEnd = /(?<!\d)(\d{5})(?:-?\d{4})?$/;

/**
 * Splits an address that its source writes in lines, in a known state. Pure; pass short texts, since each word may
 * begin the state.
 * - State (a code or a name), ZIP and country may end the last line; a line with the county is ignored.
 * - Of several lines the last is the city.
 * - In one line a comma separates the city. Without one, and before a ZIP, it is what the normalizer reads behind the
 *   street; else the whole line is the street.
 */
export function splitWritten(lines: readonly string[], state: string): WrittenAddress {
  const told = lines.filter((line, index) => index === 0 || !isCounty(cleanText(line)));
  const last = (told.at(-1) ?? '').replace(country, '');
  const zip = zipAtEnd.exec(last);
  const end = last.slice(0, zip?.index);
  // A street alone may end with the code of another state: CT, NE.
  const isStreet = told.length === 1 && zip === null && !end.includes(',');
  const place = isStreet ? end : dropState(end.replace(/[\s,-]+$/, ''), state);
  const written = [...told.slice(0, -1), place].filter((line) => line !== '');
  const split = written.length > 1 ? splitLast(written) : splitAtComma(written[0] ?? '', state);
  const isWhole = split.city === '' && zip !== null;
  return { ...(isWhole ? splitBehindStreet(split.street, state) : split), zip5: zip?.[1] ?? '' };
}

/** Text that would leave nothing is the city's name, as in `New York`, unless it is a code. */
function dropState(text: string, state: string): string {
  for (const { index, 0: gap } of text.matchAll(/^(?=\w\w$)|[\s,]+/g)) {
    const found = stateCodes.get(cleanText(text.slice(index + gap.length)));
    if (found !== undefined) return found === state ? text.slice(0, index) : text;
  }
  return text;
}

function splitLast(lines: readonly string[]): StreetAndCity {
  return { street: lines.slice(0, -1).join(' '), city: lines.at(-1) ?? '' };
}

function splitAtComma(line: string, state: string): StreetAndCity {
  const comma = line.lastIndexOf(',');
  const city = line.slice(comma + 1);
  const isCity = comma > 0 && cityOf(line, state) === normalizeCity(cleanText(city));
  return isCity ? { street: line.slice(0, comma), city } : { street: line, city: '' };
}

/** The last words that are the city. */
function splitBehindStreet(line: string, state: string): StreetAndCity {
  const city = cityOf(line, state);
  const words = line.split(/\s+/);
  for (let start = words.length - 1; start > 0 && city !== undefined; start -= 1) {
    const last = words.slice(start).join(' ');
    if (normalizeCity(cleanText(last)) === city) return { street: words.slice(0, start).join(' '), city: last };
  }
  return { street: line, city: '' };
}

/** As the normalizer reads it, which needs one where there is no ZIP; undefined for a street alone. */
function cityOf(line: string, state: string): string | undefined {
  const parts = findCity(splitSegments(cleanText(line)), state, '');
  return typeof parts === 'string' ? undefined : parts.city;
}
