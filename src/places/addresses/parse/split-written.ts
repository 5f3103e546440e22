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
 * - In one line a comma separates the city; without a comma the whole line is the street.
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
  return { ...split, zip5: zip?.[1] ?? '' };
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
  const parts = findCity(splitSegments(cleanText(line)), state, '');
  const isCity = comma > 0 && typeof parts !== 'string' && parts.city === normalizeCity(cleanText(city));
  return isCity ? { street: line.slice(0, comma), city } : { street: line, city: '' };
}
