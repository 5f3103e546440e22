import { directionals } from './tables/directionals.js';
import { highwayNames, longestHighwayName } from './tables/highway-names.js';

const writtenTogether = /^([A-Z]{1,3})-?(\d{1,5}[A-Z]?)$/;

/** A numbered road at the start of a street line. */
export interface FoundHighway {
  /** Such as `COUNTY RD 12`. */
  readonly name: string;
  /** Tokens `[start, end)` of the line that it takes; a directional or "Old" may stand before. */
  readonly start: number;
  readonly end: number;
}

/**
 * Finds `CR 12`, `State Route 42`, `US-42`, `I-75`, `County Road No 12` and the like, at the start or behind a directional,
 * "Old", or both: the number of an old road is no unit.
 */
export function findHighway(tokens: readonly string[]): FoundHighway | undefined {
  const first = highwayAt(tokens, 0);
  if (first !== undefined || !mayPrecede(tokens[0])) return first;
  return highwayAt(tokens, 1) ?? (mayPrecede(tokens[1]) ? highwayAt(tokens, 2) : undefined);
}

function mayPrecede(token = ''): boolean {
  return token === 'OLD' || directionals.has(token);
}

function highwayAt(tokens: readonly string[], start: number): FoundHighway | undefined {
  const together = writtenTogether.exec(tokens[start] ?? '');
  const short = together === null ? undefined : highwayNames.get(together[1] ?? '');
  if (short !== undefined && isDesignation(together?.[2] ?? '', short)) {
    return { name: `${short} ${together?.[2] ?? ''}`, start, end: start + 1 };
  }
  for (let words = longestHighwayName; words >= 1; words -= 1) {
    const kept = highwayNames.get(tokens.slice(start, start + words).join(' '));
    if (kept === undefined) continue;
    const at = start + words + (tokens[start + words] === 'NO' ? 1 : 0);
    const designation = tokens[at] ?? '';
    if (isDesignation(designation, kept)) return { name: `${kept} ${designation}`, start, end: at + 1 };
  }
  return undefined;
}

/** County roads are lettered in some states, and have numbers of five digits in others. */
function isDesignation(token: string, kept: string): boolean {
  return kept === 'COUNTY RD' ? /^(?:\d{1,5}[A-Z]?|([A-Z])\1?)$/.test(token) : /^\d{1,4}[A-Z]?$/.test(token);
}
