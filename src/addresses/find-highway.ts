import { directionals } from './tables/directionals.js';
import { highwayNames, longestHighwayName } from './tables/highway-names.js';

const writtenTogether = /^([A-Z]{1,3})-?(\d{1,4}[A-Z]?)$/;

/** A numbered road at the start of a street line. */
export interface FoundHighway {
  /** Such as `COUNTY RD 12`. */
  readonly name: string;
  /** Tokens `[start, end)` of the line that it takes; a directional may stand before. */
  readonly start: number;
  readonly end: number;
}

/** Finds `CR 12`, `State Route 42`, `US-42`, `I-75` and the like, at the start or behind a directional. */
export function findHighway(tokens: readonly string[]): FoundHighway | undefined {
  const behind = directionals.has(tokens[0] ?? '') ? highwayAt(tokens, 1) : undefined;
  return highwayAt(tokens, 0) ?? behind;
}

function highwayAt(tokens: readonly string[], start: number): FoundHighway | undefined {
  const together = writtenTogether.exec(tokens[start] ?? '');
  const short = together === null ? undefined : highwayNames.get(together[1] ?? '');
  if (short !== undefined) return { name: `${short} ${together?.[2] ?? ''}`, start, end: start + 1 };
  for (let words = longestHighwayName; words >= 1; words -= 1) {
    const kept = highwayNames.get(tokens.slice(start, start + words).join(' '));
    const designation = tokens[start + words] ?? '';
    if (kept !== undefined && isDesignation(designation, kept)) {
      return { name: `${kept} ${designation}`, start, end: start + words + 1 };
    }
  }
  return undefined;
}

/** County roads are lettered in some states. */
function isDesignation(token: string, kept: string): boolean {
  return /^\d{1,4}[A-Z]?$/.test(token) || (kept === 'COUNTY RD' && /^([A-Z])\1?$/.test(token));
}
