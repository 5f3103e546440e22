import { plainSuffixes, streetSuffixes } from '../tables/street-suffixes.js';
import { subdivisionWords } from '../tables/subdivision-words.js';
import { isStreetAddress } from '../street-address.js';

const commaBeforeTitle = /, ?(?:JR|SR|II|III|IV)(?:[ ,]|$)/;
/** `SR 42` is a state route. */
const title = /^(?:JR|SR(?! \d)|II|III|IV)(?= |$)/;

/** True for what belongs to the name before its comma: `JR`, `III`. */
export function beginsWithTitle(text: string): boolean {
  return title.test(text);
}

/**
 * The parts of a cleaned text between its commas, none of them empty. The commas of `KING, JR, BLVD` are of the name. A
 * second street address behind `&`, and an urbanization behind the street, are parts of their own.
 */
export function splitSegments(text: string): string[] {
  const segments = text
    .split(',')
    .flatMap(splitBehindStreet)
    .map((segment) => segment.trim())
    .filter(Boolean);
  return commaBeforeTitle.test(text) ? joinTitles(segments) : segments;
}

const secondNumber = / (?:&|AND) (?=\d+ [A-Z0-9])/;
const urbanization = / (?=(?:URB|URBANIZACION|URBANIZATION) [A-Z0-9])/;
/** A lot behind a block, say; behind a street it is read as a unit is. */
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
