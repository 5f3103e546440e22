import { findHighway } from './find-highway.js';
import type { HouseNumber } from '../normalized-address.js';
import { parseHouseNumber } from './parse-house-number.js';
import { parseStreet, type ParsedStreet } from './parse-street.js';
import { renderStreetLine } from '../render-address.js';
import { splitUnit } from './split-unit.js';
import { tokenize } from './tokenize.js';

/** A parsed street line; writing and parsing it again does not change it. */
export interface StreetLine extends ParsedStreet {
  readonly number: HouseNumber;
  readonly unit: string;
  /** True for a unit without a designator. */
  readonly isPresumed: boolean;
  /** The line without its unit, such as `2079 E 9TH ST`. */
  readonly line: string;
}

/** Options for parsing a street line. */
export interface StreetReading {
  /** True where house numbers contain hyphens; see `parseHouseNumber`. */
  readonly isHyphenated?: boolean;
  /** Code of the state; names the owner of state routes. */
  readonly state?: string;
}

const mostRounds = 5;
/** A mailbox after a street address is not part of the property. */
const trailingBox = / (?:P ?O|POST OFFICE) BOX\b.*$/;

/**
 * Parses cleaned text such as `3456-58 EAST NINTH STREET APT 2`. Repeats until the result is stable, so that one
 * property never gets two spellings; ordinary addresses need two rounds. Undefined without a house number or a street,
 * and where the result is not stable after five rounds.
 */
export function readStreetLine(text: string, how: StreetReading = {}): StreetLine | undefined {
  let written = text;
  let isPresumed = false;
  for (let round = 0; round < mostRounds; round += 1) {
    const read = readOnce(written, how);
    if (read === undefined) return undefined;
    isPresumed ||= read.isPresumed;
    const rewritten = read.unit === '' ? read.line : `${read.line} ${read.unit}`;
    if (rewritten === written) return { ...read, isPresumed };
    written = rewritten;
  }
  return undefined;
}

function readOnce(text: string, { isHyphenated, state }: StreetReading): StreetLine | undefined {
  const found = parseHouseNumber(text.replace(trailingBox, ''), isHyphenated);
  if (found === undefined) return undefined;
  const tokens = tokenize(found.unit === '' ? found.rest : `${found.rest} # ${found.unit}`);
  const highway = findHighway(tokens, state);
  if (highway !== undefined) tokens.splice(highway.start, highway.end - highway.start, highway.name);
  const { street, unit, isPresumed } = splitUnit(tokens);
  const parsed = parseStreet(street);
  if (!/^[A-Z0-9]/.test(parsed.street)) return undefined;
  const line = renderStreetLine({ number: found.number, ...parsed });
  const isListed = found.unit !== '' && unit === `# ${found.unit}`;
  return { number: found.number, ...parsed, unit, isPresumed: isPresumed || isListed, line };
}
