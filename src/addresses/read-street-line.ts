import { findHighway } from './find-highway.js';
import type { HouseNumber } from './normalized-address.js';
import { parseHouseNumber } from './parse-house-number.js';
import { parseStreet, type ParsedStreet } from './parse-street.js';
import { renderStreetLine } from './render-address.js';
import { splitUnit } from './split-unit.js';
import { tokenize } from './tokenize.js';

/** A street line that was understood; it never changes when it is written and read again. */
export interface StreetLine extends ParsedStreet {
  readonly number: HouseNumber;
  readonly unit: string;
  /** The line without its unit, such as `2079 E 9TH ST`. */
  readonly line: string;
}

const mostRounds = 5;
/** A mail box named behind a street address is no part of the property. */
const trailingBox = / (?:P ?O|POST OFFICE) BOX\b.*$/;

/**
 * Reads cleaned text such as `3456-58 EAST NINETH STREET APT 2`. Undefined when it has no house number or no street.
 * The text is read until reading it again changes nothing, so that one property cannot get two spellings; ordinary
 * addresses settle on the second reading. `isHyphenated` as in `parseHouseNumber`.
 */
export function readStreetLine(text: string, isHyphenated = false): StreetLine | undefined {
  let written = text;
  for (let round = 0; round < mostRounds; round += 1) {
    const read = readOnce(written, isHyphenated);
    if (read === undefined) return undefined;
    const rewritten = read.unit === '' ? read.line : `${read.line} ${read.unit}`;
    if (rewritten === written) return read;
    written = rewritten;
  }
  return undefined;
}

function readOnce(text: string, isHyphenated: boolean): StreetLine | undefined {
  const found = parseHouseNumber(text.replace(trailingBox, ''), isHyphenated);
  if (found === undefined) return undefined;
  const tokens = tokenize(found.unit === '' ? found.rest : `${found.rest} # ${found.unit}`);
  const highway = findHighway(tokens);
  if (highway !== undefined) tokens.splice(highway.start, highway.end - highway.start, highway.name);
  const { street, unit } = splitUnit(tokens);
  const parsed = parseStreet(street);
  if (!/^[A-Z0-9]/.test(parsed.street)) return undefined;
  return { number: found.number, ...parsed, unit, line: renderStreetLine({ number: found.number, ...parsed }) };
}
