import {
  bareDesignators,
  danglingDesignators,
  designatorsInNames,
  directionals,
  interchangeableDesignators,
  streetSuffixes,
  valuedDesignators,
} from '../tables/words.js';
import { tokenize } from './tokenize.js';

/** A unit, as far as known; empty when there is none. */
export interface FoundUnit {
  readonly unit: string;
  /** True for a number or letter without a designator: it may be something else. */
  readonly isPresumed: boolean;
}

/** Splits a street line's tokens (without house number) into the street and its unit. */
export function splitUnit(tokens: readonly string[]): FoundUnit & { readonly street: string[] } {
  const written = dropDangling(tokens);
  const line = markBareUnit(written);
  for (let i = 1; i < line.length; i += 1) {
    if (!unitStartsAt(line, i)) continue;
    const isPresumed = line.length > written.length && line[i] === '#' && written[i] !== '#';
    return { street: line.slice(0, i), unit: joinUnit(line.slice(i)), isPresumed };
  }
  return { street: line, unit: '', isPresumed: false };
}

const anyStreet = ['ANY', 'ST'];

/** The unit at the start of cleaned text, such as `APT 2` or `REAR`; empty when the text begins otherwise. */
export function unitOf(text: string): FoundUnit {
  const { street, ...found } = splitUnit([...anyStreet, ...tokenize(text)]);
  return street.length === anyStreet.length ? found : noUnit;
}

/** No unit. */
export const noUnit: FoundUnit = { unit: '', isPresumed: false };

/** True for cleaned text of units only. */
export function isUnit(text: string): boolean {
  return mayBeUnit(text) && areUnits(tokenize(text));
}

/** False for cleaned text that cannot be a unit, decided without tokenizing: nearly every city. */
function mayBeUnit(text: string): boolean {
  if (/[\d#&]|^[A-Z]$/.test(text)) return true;
  const words = text.split(' ');
  return isDesignator(words[0] ?? '') || isDesignator(words.at(-1) ?? '');
}

/** True for tokens of units only. */
export function areUnits(tokens: readonly string[]): boolean {
  const line = markBareUnit(dropDangling([...anyStreet, ...tokens]));
  return unitLengthAt(line, anyStreet.length) === line.length - anyStreet.length;
}

/** Number of consecutive tokens from `index` that form units; 0 when none starts there. */
export function unitLengthAt(tokens: readonly string[], index: number): number {
  let end = index + oneUnitLengthAt(tokens, index);
  for (let more = 1; end > index && more > 0; end += more) {
    more = isBareUnit(tokens, end) ? 1 : oneUnitLengthAt(tokens, end);
  }
  return end - index;
}

function oneUnitLengthAt(tokens: readonly string[], index: number): number {
  if (!unitStartsAt(tokens, index)) return 0;
  if (isFloor(tokens, index)) return 2;
  if (!valuedDesignators.has(tokens[index] ?? '')) return 1;
  let end = index + (tokens[index + 1] === '#' ? 3 : 2);
  while (tokens[end] === '&' && isIdentifier(tokens[end + 1] ?? '')) end += 2;
  return end - index;
}

/** True when two units are written alike or differ only in interchangeable designators. */
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

/** Writes `#` before an identifier without a designator: `MAIN ST A & B`, `MAIN ST 2`. */
function markBareUnit(tokens: string[]): string[] {
  let start = tokens.length - 1;
  while (start >= 3 && tokens[start - 1] === '&' && isShort(tokens[start - 2]) && isShort(tokens[start])) start -= 2;
  const isList = start < tokens.length - 1;
  const before = tokens[start - 1] ?? '';
  if (start < 1 || before === '&' || valuedDesignators.has(before)) return tokens;
  if (before === 'NO' && /^\d/.test(tokens[start] ?? '')) return writeNumber(tokens, start - 1);
  if (!isList && !(isShort(tokens[start]) && !directionals.has(tokens[start] ?? '') && endsStreet(tokens, start - 1))) {
    return tokens;
  }
  return [...tokens.slice(0, start), '#', ...tokens.slice(start)];
}

/** `MAIN ST NO 2` -> `MAIN ST # 2`, `APT NO 2` -> `APT 2`; any other NO belongs to the street: `100 NO 5TH`. */
function writeNumber(tokens: string[], index: number): string[] {
  if (valuedDesignators.has(tokens[index - 1] ?? '')) return tokens.toSpliced(index, 1);
  return endsStreet(tokens, index - 1) ? tokens.with(index, '#') : tokens;
}

function isShort(token = ''): boolean {
  return /^(?:[A-Z]\d{0,4}|\d{1,5}[A-Z]?)$/.test(token);
}

/** True when the token at `index` is a suffix after a name, or a directional after such a suffix. */
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
  if (bareDesignators.has(token)) return isBareUnit(tokens, index) && mayEndStreet(tokens, index);
  // An ordinal directly after the directional is the street's own name: E 93RD FL.
  return isFloor(tokens, index) && holdsName(tokens, index);
}

/**
 * Whether a street can end before the bare designator at `index`: a suffix, a highway, or a designator that ends no
 * name.
 */
function mayEndStreet(tokens: readonly string[], index: number): boolean {
  if (endsStreet(tokens, index - 1)) return true;
  const isNameFull = !designatorsInNames.has(tokens[index] ?? '') || tokens.some((token) => token.includes(' '));
  return isNameFull && holdsName(tokens, index);
}

function holdsName(tokens: readonly string[], end: number): boolean {
  return tokens.slice(0, end).some((token) => !directionals.has(token));
}

/** A designator without identifier, followed by another unit or nothing: REAR, but not UPPER ARLINGTON. */
function isBareUnit(tokens: readonly string[], index: number): boolean {
  const next = tokens[index + 1] ?? '';
  return bareDesignators.has(tokens[index] ?? '') && (next === '' || isDesignator(next));
}

function isDesignator(token: string): boolean {
  return valuedDesignators.has(token) || bareDesignators.has(token);
}

/** `1ST FLOOR`, but not `93RD FL 5`, where an identifier follows. */
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
