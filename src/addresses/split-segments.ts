import { plainSuffixes, streetSuffixes } from './tables/street-suffixes.js';

const commaBeforeTitle = /, ?(?:JR|SR|II|III|IV)(?:[ ,]|$)/;
/** `SR 42` is a state route. */
const title = /^(?:JR|SR(?! \d)|II|III|IV)(?= |$)/;

/** True for what belongs to the name before its comma: `JR`, `III`. */
export function beginsWithTitle(text: string): boolean {
  return title.test(text);
}

/** The parts of a cleaned text between its commas, none of them empty. The commas of `KING, JR, BLVD` are of the name. */
export function splitSegments(text: string): string[] {
  const segments = text
    .split(',')
    .map((segment) => segment.trim())
    .filter(Boolean);
  return commaBeforeTitle.test(text) ? joinTitles(segments) : segments;
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
