import { plainSuffixes, streetSuffixes, subdivisionWords } from '../tables/words.js';
import { isStreetAddress } from '../street-address.js';

const commaBeforeTitle = /, ?(?:JR|SR|II|III|IV)(?:[ ,]|$)/;
/** `SR 42` is a state route. */
const title = /^(?:JR|SR(?! \d)|II|III|IV)(?= |$)/;

/** True for text that belongs to the name before its comma: `JR`, `III`. */
export function beginsWithTitle(text: string): boolean {
  return title.test(text);
}

/**
 * Splits a cleaned text at its commas, without empty parts. The commas of `KING, JR, BLVD` belong to the name. A second
 * street address after `&`, and an urbanization after the street, become parts of their own.
 */
export function splitSegments(text: string): string[] {
  // Fast path for nearly every text.
  if (!/,|URB|&| AND | LOT /.test(text)) return [text.trim()].filter(Boolean);
  const segments = text
    .split(',')
    .flatMap(splitBehindStreet)
    .map((segment) => segment.trim())
    .filter(Boolean);
  return commaBeforeTitle.test(text) ? joinTitles(segments) : segments;
}

const secondNumber = / (?:&|AND) (?=\d+ [A-Z0-9])/;
const urbanization = / (?=(?:URB|URBANIZACION|URBANIZATION) [A-Z0-9])/;
/** A lot, for example after a block; after a street it is parsed like a unit. */
const lotBehind = / (?=LOT (?:NO |# )?(?:\S*\d|[A-Z](?: |$)))/;
/** A house number and a name. */
const streetStart = /^ ?[A-Z]?\d\S* .*[A-Z]/;

function splitBehindStreet(segment: string): string[] {
  if (!/URB|&| AND | LOT /.test(segment)) return [segment];
  if (subdivisionWords.has(segment.trim().split(' ', 1)[0] ?? '')) return segment.split(lotBehind);
  for (const mark of [urbanization, secondNumber]) {
    const at = mark.exec(segment);
    if (at === null) continue;
    const [front, behind] = [segment.slice(0, at.index), segment.slice(at.index + at[0].length)];
    if (!streetStart.test(front)) continue;
    if (mark === urbanization || isStreetAddress(behind)) return [...splitBehindStreet(front), behind];
  }
  return [segment];
}

function joinTitles(segments: readonly string[]): string[] {
  const joined: string[] = [];
  let isBehindTitle = false;
  for (const segment of segments) {
    const isTitle = beginsWithTitle(segment);
    const isOfName = isTitle || (isBehindTitle && plainSuffixes.has(streetSuffixes.get(segment) ?? ''));
    const before = isOfName ? joined.pop() : undefined;
    joined.push(before === undefined ? segment : `${before} ${segment}`);
    isBehindTitle = isTitle;
  }
  return joined;
}
