import { directionals } from './tables/directionals.js';
import { streetSuffixes } from './tables/street-suffixes.js';
import {
  bareDesignators,
  danglingDesignators,
  interchangeableDesignators,
  valuedDesignators,
} from './tables/unit-designators.js';

/** Splits a street line's tokens (without house number) into the street and its unit (empty when there is none). */
export function splitUnit(tokens: readonly string[]): { readonly street: string[]; readonly unit: string } {
  const line = markBareUnit(dropDangling(tokens));
  for (let i = 1; i < line.length; i += 1) {
    if (unitStartsAt(line, i)) return { street: line.slice(0, i), unit: joinUnit(line.slice(i)) };
  }
  return { street: line, unit: '' };
}

/** How many tokens from `index` on make one unit; 0 when none starts there. */
export function unitLengthAt(tokens: readonly string[], index: number): number {
  if (!unitStartsAt(tokens, index)) return 0;
  if (isFloor(tokens, index)) return 2;
  if (!valuedDesignators.has(tokens[index] ?? '')) return 1;
  let end = index + (tokens[index + 1] === '#' ? 3 : 2);
  while (tokens[end] === '&' && isIdentifier(tokens[end + 1] ?? '')) end += 2;
  return end - index;
}

/** True when two units are written alike or differ only in designators that writers swap freely. */
export function isSameUnit(a: string, b: string): boolean {
  return a === b || identifierOf(a) === identifierOf(b);
}

function identifierOf(unit: string): string {
  const space = unit.indexOf(' ');
  return interchangeableDesignators.has(unit.slice(0, space)) ? unit.slice(space + 1) : unit;
}

function dropDangling(tokens: readonly string[]): string[] {
  let end = tokens.length;
  while (end > 1 && danglingDesignators.has(tokens[end - 1] ?? '')) end -= 1;
  return tokens.slice(0, end);
}

/** Writes `#` before an identifier that has no designator: `MAIN ST A & B`, `MAIN ST 2`. */
function markBareUnit(tokens: string[]): string[] {
  let start = tokens.length - 1;
  while (start >= 3 && tokens[start - 1] === '&' && isShort(tokens[start - 2]) && isShort(tokens[start])) start -= 2;
  const isList = start < tokens.length - 1;
  const before = tokens[start - 1] ?? '';
  if (start < 1 || before === '&' || valuedDesignators.has(before)) return tokens;
  if (!isList && !(isShort(tokens[start]) && !directionals.has(tokens[start] ?? '') && endsStreet(tokens, start - 1))) {
    return tokens;
  }
  return [...tokens.slice(0, start), '#', ...tokens.slice(start)];
}

function isShort(token = ''): boolean {
  return /^(?:[A-Z]\d{0,4}|\d{1,5}[A-Z]?)$/.test(token);
}

/** True when the token at `index` is a suffix behind a name, or a directional behind such a suffix. */
function endsStreet(tokens: readonly string[], index: number): boolean {
  const at = directionals.has(tokens[index] ?? '') ? index - 1 : index;
  const first = directionals.has(tokens[0] ?? '') ? 1 : 0;
  return at > first && streetSuffixes.has(tokens[at] ?? '');
}

function unitStartsAt(tokens: readonly string[], index: number): boolean {
  const token = tokens[index] ?? '';
  const next = tokens[index + 1] ?? '';
  if (token === '#') return next !== '';
  if (valuedDesignators.has(token)) return isIdentifier(next === '#' ? (tokens[index + 2] ?? '') : next);
  if (bareDesignators.has(token)) {
    return endsStreet(tokens, index - 1) && (next === '' || valuedDesignators.has(next) || bareDesignators.has(next));
  }
  // An ordinal right behind the directional is the street's own name: E 93RD FL.
  return isFloor(tokens, index) && tokens.slice(0, index).some((before) => !directionals.has(before));
}

/** `1ST FLOOR`, but not `93RD FL 5`, where the identifier follows. */
function isFloor(tokens: readonly string[], index: number): boolean {
  return (
    /^\d+(?:ST|ND|RD|TH)$/.test(tokens[index] ?? '') &&
    valuedDesignators.get(tokens[index + 1] ?? '') === 'FL' &&
    !isIdentifier(tokens[index + 2] ?? '')
  );
}

function isIdentifier(token: string): boolean {
  if (token.length > 9 || !/^[A-Z0-9/-]+$/.test(token)) return false;
  return /\d/.test(token) || token.length === 1 || (token.length === 2 && !streetSuffixes.has(token));
}

function joinUnit(tokens: readonly string[]): string {
  const words: string[] = [];
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i] ?? '';
    if (token === '#' && i > 0) continue;
    if (isFloor(tokens, i)) {
      words.push('FL', token.slice(0, -2));
      i += 1;
    } else {
      const designator = valuedDesignators.get(token) ?? bareDesignators.get(token);
      words.push(designator ?? token.replace(/^(\d+)-([A-Z])$|^([A-Z])-(\d+)$/, '$1$2$3$4'));
    }
  }
  return words.length === 1 && words[0] === '#' ? '' : words.join(' ');
}
