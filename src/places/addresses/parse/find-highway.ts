import {
  bareDesignators,
  describingWords,
  directionals,
  highwayNames,
  longestHighwayName,
  roadNouns,
  streetSuffixes,
  valuedDesignators,
} from '../tables/words.js';
import { stateCodes } from '../tables/cities.js';

const writtenTogether = /^([A-Z]{1,3})-?(\d{1,5}[A-Z]?)$/;

/** A numbered road at the start of a street line. */
export interface FoundHighway {
  /** Such as `COUNTY RD 12`. */
  readonly name: string;
  /** Tokens `[start, end)` of the line that it covers; a directional or "Old" may precede it. */
  readonly start: number;
  readonly end: number;
}

/**
 * Finds numbered roads at the start, or after a directional, "Old", or both: `CR 12`, `State Route 42`, `US-42`,
 * `I-75`, `County Road No 12`, `Private Road 7`, `Texas Hwy 6`. A road's number or letter is not a unit. `state` is the
 * code of the road's state, empty if unknown: `Texas Hwy 6` is `STATE RTE 6` there.
 */
export function findHighway(tokens: readonly string[], state = ''): FoundHighway | undefined {
  const roadAt = (start: number) => highwayAt(tokens, start, state);
  const first = roadAt(0);
  if (first !== undefined || !mayPrecede(tokens[0])) return first;
  return roadAt(1) ?? (mayPrecede(tokens[1]) ? roadAt(2) : undefined);
}

/** True for words such as `COUNTY ROAD` or `PRIVATE RD`, whose number may have as many digits as a ZIP. */
export function endsWithLongRoad(words: readonly string[]): boolean {
  const lengths = Array.from({ length: longestHighwayName }, (_, index) => index + 1);
  if (lengths.some((length) => highwayNames.get(words.slice(-length).join(' ')) === 'COUNTY RD')) return true;
  const [before = '', noun = ''] = words.slice(-2);
  return roadNouns.has(noun) && describingWords.has(before) && before !== 'STATE' && before !== 'US';
}

function mayPrecede(token = ''): boolean {
  return token === 'OLD' || directionals.has(token);
}

function highwayAt(tokens: readonly string[], start: number, state: string): FoundHighway | undefined {
  return stateRoadAt(tokens, start, state) ?? listedRoadAt(tokens, start) ?? describedRoadAt(tokens, start, state);
}

/** `TEXAS HWY 6` and `TX STATE HWY 6` are state routes; a route of another state keeps that state's name. */
function stateRoadAt(tokens: readonly string[], start: number, state: string): FoundHighway | undefined {
  const words = stateWordsAt(tokens, start, state);
  const road = words === 0 ? undefined : listedRoadAt(tokens, start + words);
  const designation = /^(?:HWY|STATE RTE) (\S+)$/.exec(road?.name ?? '')?.[1];
  if (road === undefined || designation === undefined) return undefined;
  const name = tokens.slice(start, start + words).join(' ');
  const owner = stateCodes.get(name) === state ? '' : `${name} `;
  return { name: `${owner}STATE RTE ${designation}`, start, end: road.end };
}

const longestStateName = 3;
/** Fast path: nearly no street begins with the name of a state. */
const stateFirstWords: ReadonlySet<string> = new Set([...stateCodes.keys()].map((name) => name.split(' ', 1)[0] ?? ''));

/** Number of tokens that name a state. A code counts only if it equals `state`, since IN, OR and LA are also words. */
function stateWordsAt(tokens: readonly string[], start: number, state: string): number {
  if (!stateFirstWords.has(tokens[start] ?? '')) return 0;
  for (let words = longestStateName; words >= 1; words -= 1) {
    const name = tokens.slice(start, start + words).join(' ');
    const code = stateCodes.get(name);
    if (code === undefined || (name === code && (code !== state || directionals.has(code)))) continue;
    return words;
  }
  return 0;
}

/** Fast path: nearly no street begins like a road with a number. */
const highwayFirstWords: ReadonlySet<string> = new Set(
  [...highwayNames.keys()].map((name) => name.split(' ', 1)[0] ?? ''),
);

function listedRoadAt(tokens: readonly string[], start: number): FoundHighway | undefined {
  const together = writtenTogether.exec(tokens[start] ?? '');
  const short = together === null ? undefined : highwayNames.get(together[1] ?? '');
  if (short !== undefined) return { name: `${short} ${together?.[2] ?? ''}`, start, end: start + 1 };
  if (!highwayFirstWords.has(tokens[start] ?? '')) return undefined;
  for (let words = longestHighwayName; words >= 1; words -= 1) {
    const kept = highwayNames.get(tokens.slice(start, start + words).join(' '));
    if (kept === undefined) continue;
    const isLettered = kept === 'COUNTY RD' || roadNouns.has(tokens[start + words - 1] ?? '');
    const found = withDesignation(tokens, { kept, start, behind: start + words, isLettered });
    if (found !== undefined) return found;
  }
  return undefined;
}

function describedRoadAt(tokens: readonly string[], start: number, state: string): FoundHighway | undefined {
  let end = start;
  while (describingWords.has(tokens[end] ?? '')) end += 1;
  if (end === start && stateCodes.get(tokens[start] ?? '') === state) end += stateWordsAt(tokens, start, state);
  const noun = roadNouns.get(tokens[end] ?? '');
  if (end === start || noun === undefined) return undefined;
  const words = tokens.slice(start, end).map((word) => (word === 'PVT' ? 'PRIVATE' : word));
  return withDesignation(tokens, { kept: [...words, noun].join(' '), start, behind: end + 1, isLettered: true });
}

interface Named {
  readonly kept: string;
  readonly start: number;
  /** Index of the token after the name. */
  readonly behind: number;
  readonly isLettered: boolean;
}

function withDesignation(
  tokens: readonly string[],
  { kept, start, behind, isLettered }: Named,
): FoundHighway | undefined {
  const at = behind + (tokens[behind] === 'NO' ? 1 : 0);
  const designation = tokens[at] ?? '';
  const isRoad =
    /^\d{1,5}[A-Z]?$/.test(designation) ||
    (kept === 'COUNTY RD' && /^([A-Z])\1?$/.test(designation)) ||
    (isLettered && isLetters(designation, tokens[at + 1]));
  return isRoad ? { name: `${kept} ${designation}`, start, end: at + 1 } : undefined;
}

/** One letter or two. Two different letters may also begin a city, as LA PORTE, so nothing else may follow them. */
function isLetters(token: string, next = ''): boolean {
  if (!/^[A-Z]{1,2}$/.test(token) || directionals.has(token) || streetSuffixes.has(token)) return false;
  if (valuedDesignators.has(token) || bareDesignators.has(token)) return false;
  return /^([A-Z])\1?$/.test(token) || next === '' || directionals.has(next) || valuedDesignators.has(next);
}
