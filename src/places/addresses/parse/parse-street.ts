import { directionals, plainSuffixes, streetSuffixes } from '../tables/words.js';
import { ordinalOf } from './tokenize.js';

/** The parts of a street by USPS Publication 28; empty parts are missing. */
export interface ParsedStreet {
  readonly preDirectional: string;
  readonly street: string;
  readonly suffix: string;
  readonly postDirectional: string;
}

/**
 * Splits a street line's tokens (no house number, no unit) into parts. A word that would leave no name stays in the
 * name: `NORTH AVE`, `PARK`, `E NORTHWEST HWY`, `AVENUE E`. The name is empty only for no tokens.
 */
export function parseStreet(tokens: readonly string[]): ParsedStreet {
  const front = takePreDirectional(tokens);
  if (isLetteredAvenue(front.rest)) return { ...parts(front.directional), street: `AVENUE ${front.rest[1] ?? ''}` };
  const back = takePostDirectional(front.rest);
  const last = back.rest.at(-1) ?? '';
  const suffix = back.rest.length > 1 ? (streetSuffixes.get(last) ?? '') : '';
  const name = suffix === '' ? back.rest : back.rest.slice(0, -1);
  return { ...parts(front.directional, back.directional), street: joinName(name), suffix };
}

function parts(preDirectional: string, postDirectional = ''): Omit<ParsedStreet, 'street'> {
  return { preDirectional, postDirectional, suffix: '' };
}

interface Taken {
  readonly directional: string;
  readonly rest: readonly string[];
}

function takePreDirectional(tokens: readonly string[]): Taken {
  const directional = directionals.get(tokens[0] ?? '');
  const joined = joinDirectionals(tokens[0], tokens[1]);
  if (joined !== undefined && !isOnlySuffix(tokens.slice(2))) return { directional: joined, rest: tokens.slice(2) };
  if (directional === undefined || isOnlySuffix(tokens.slice(1))) return { directional: '', rest: tokens };
  return { directional, rest: tokens.slice(1) };
}

function takePostDirectional(tokens: readonly string[]): Taken {
  const joined = joinDirectionals(tokens.at(-2), tokens.at(-1));
  if (joined !== undefined && tokens.length > 2) return { directional: joined, rest: tokens.slice(0, -2) };
  const directional = directionals.get(tokens.at(-1) ?? '');
  if (directional === undefined || tokens.length < 2) return { directional: '', rest: tokens };
  return { directional, rest: tokens.slice(0, -1) };
}

/** Joins separate `N` and `E` to `NE`. */
function joinDirectionals(first = '', second = ''): string | undefined {
  return directionals.get((directionals.get(first) ?? '-') + (directionals.get(second) ?? '-'));
}

/** True when only a suffix is left, so that the directional before it is the street's name: `NORTH AVE`, `E ST NW`. */
function isOnlySuffix([first = '', second = '', ...others]: readonly string[]): boolean {
  if (others.length > 0) return false;
  if (second === '') return first === '' || streetSuffixes.has(first);
  return plainSuffixes.has(streetSuffixes.get(first) ?? '') && directionals.has(second);
}

function isLetteredAvenue(tokens: readonly string[]): boolean {
  return tokens.length === 2 && streetSuffixes.get(tokens[0] ?? '') === 'AVE' && /^[A-Z]$/.test(tokens[1] ?? '');
}

/**
 * A name that is a number becomes an ordinal: `E 93 ST` is `E 93RD ST`. A suffix at the end of the name, before another
 * suffix, is abbreviated too: `MAIN ST EXT`, `10TH ST PL`; USPS Publication 28, section 234, counts it as part of the
 * name.
 */
function joinName(tokens: readonly string[]): string {
  const suffix = tokens.length > 1 ? (streetSuffixes.get(tokens.at(-1) ?? '') ?? '') : '';
  if (plainSuffixes.has(suffix)) return `${joinName(tokens.slice(0, -1))} ${suffix}`;
  const name = tokens.join(' ');
  return /^[1-9]\d{0,3}$/.test(name) ? ordinalOf(Number(name)) : name;
}
