import { cleanText } from './parse/clean-text.js';
import { readStreetLine } from './parse/read-street-line.js';
import { renderStreetLine } from './render-address.js';
import { isSameUnit } from './parse/split-unit.js';

const longestText = 300;

/**
 * True when one street line contains the other, of the same house and street, plus a suffix, a directional or further
 * house numbers. Pure; false when either is not a street line. Bounded time for any text.
 */
export function tellsMore(line: string, other: string): boolean {
  const [more, less] = [line, other].map((text) => readStreetLine(cleanText(text.slice(0, longestText))));
  if (more === undefined || less === undefined || more.line === less.line) return false;
  const filled = {
    ...less,
    number: less.number.low === less.number.high ? { ...less.number, high: more.number.high } : less.number,
    preDirectional: less.preDirectional || more.preDirectional,
    suffix: less.suffix || more.suffix,
    postDirectional: less.postDirectional || more.postDirectional,
  };
  return renderStreetLine(filled) === more.line && (less.unit === '' || isSameUnit(more.unit, less.unit));
}
