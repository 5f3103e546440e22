import { cardinalWords } from '../tables/words.js';
import { listOfHouses } from './each-house.js';
import type { HouseNumber } from '../normalized-address.js';

/** The start of a street line. */
export interface ParsedHouseNumber {
  readonly number: HouseNumber;
  /** The text after the number. */
  readonly rest: string;
  /** `A & B` of `123 A & B Main St`, else empty. */
  readonly unit: string;
}

/** Wider ranges are blocks or misprints, not buildings. */
const widestRange = 200;

const gridPattern = /^(?:([NSEW]\d{1,5})[ -]?([NSEW]\d{1,6})|(\d{1,3}[NSEW]\d{1,6})|([NSEW]\d{3,6}))(?= |$)/;
const numberPattern = /^(\d{1,7})(?:([-/])(\d{1,7})| (?:TO|THRU) (\d{1,7}))?(?:[ -]([1-9]\/[2-9]\d?))?(?= |$)/;
const listPattern = /^(\d{1,7}(?: (?:&|AND) \d{1,7})+)(?:[ -]([1-9]\/[2-9]\d?))?(?= |$)/;
const letteredPattern = /^(\d{1,7})(-?)([A-Z])(?= |$)/;
const letterListPattern = /^(\d{1,7})[ -]?([A-DF-H])(?:[-/]| & | AND )(?:\1)?([A-DF-H])(?= |$)/;

/**
 * Parses the house number at the start of cleaned text: plain, range, list, fraction, lettered, grid form, or a number
 * word. Undefined when the text does not start with one (an ordinal such as `9TH` is not a house number). With
 * `isHyphenated`, hyphens are part of the number: `37-39` is one house.
 */
export function parseHouseNumber(text: string, isHyphenated = false): ParsedHouseNumber | undefined {
  return parseDigits(text, isHyphenated) ?? parseWord(text);
}

/** The same without number words, which also begin building names (`One Cleveland Center`). */
export function parseDigits(text: string, isHyphenated = false): ParsedHouseNumber | undefined {
  return (
    parseGrid(text) ?? parseLetterList(text) ?? parseList(text) ?? parsePlain(text, isHyphenated) ?? parseLettered(text)
  );
}

function parseWord(text: string): ParsedHouseNumber | undefined {
  const [word = '', next = ''] = text.split(' ', 2);
  const value = cardinalWords.get(word);
  if (value === undefined) return undefined;
  const small = cardinalWords.get(next) ?? 10;
  if (value < 20 || small >= 10) return parsePlain(`${String(value)}${text.slice(word.length)}`);
  return parsePlain(`${String(value + small)}${text.slice(word.length + 1 + next.length)}`);
}

function parseGrid(text: string): ParsedHouseNumber | undefined {
  const match = gridPattern.exec(text);
  if (match === null) return undefined;
  const grid = match[3] ?? match[4] ?? `${match[1] ?? ''}${match[2] ?? ''}`;
  return found(gridNumber(grid), text.slice(match[0].length));
}

function parseLetterList(text: string): ParsedHouseNumber | undefined {
  const match = letterListPattern.exec(text);
  if (match === null) return undefined;
  return found(plainNumber(Number(match[1])), text.slice(match[0].length), `${match[2] ?? ''} & ${match[3] ?? ''}`);
}

/** `310 & 312` are neighbors, so a range; other lists name houses without those between. */
function parseList(text: string): ParsedHouseNumber | undefined {
  const match = listPattern.exec(text);
  if (match === null) return undefined;
  const [first = '', ...others] = (match[1] ?? '').split(/ (?:&|AND) /);
  const fraction = match[2] ?? '';
  const rest = text.slice(match[0].length);
  const numbers = [Number(first)];
  for (const other of others) numbers.push(nearest(other, numbers.at(-1) ?? 0));
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const [low = 0] = sorted;
  if (low === 0) return found({ ...plainNumber(0), fraction }, rest);
  const isRange = sorted.every((number, index) => number === low + 2 * index);
  const high = sorted.at(-1) ?? low;
  return found(isRange ? { low, high, fraction, grid: '' } : listOfHouses(sorted, fraction), rest);
}

/** `3456 & 60` is 3460, but `100 & 98` is 98. */
function nearest(digits: string, before: number): number {
  const written = Number(digits);
  const whole = completed(digits, String(before));
  return Math.abs(whole - before) < Math.abs(written - before) ? whole : written;
}

/** An abbreviated end (3456-58) takes its leading digits from the start. */
function completed(end: string, start: string): number {
  return Number(end.length < start.length ? start.slice(0, start.length - end.length) + end : end);
}

function parsePlain(text: string, isHyphenated = false): ParsedHouseNumber | undefined {
  const match = numberPattern.exec(text);
  if (match === null) return undefined;
  const fraction = match[5] ?? '';
  const low = stripZeros(match[1] ?? '');
  const end = match[3] ?? match[4];
  const rest = text.slice(match[0].length);
  if (end === undefined || low === '0') return found({ ...plainNumber(Number(low)), fraction }, rest);
  const high = completed(end, low);
  const isOneHouse = isHyphenated && match[2] === '-';
  const isRange =
    !isOneHouse && high >= Number(low) && high - Number(low) <= widestRange && (high - Number(low)) % 2 === 0;
  return found(isRange ? { low: Number(low), high, fraction, grid: '' } : gridNumber(`${low}-${end}`, fraction), rest);
}

function parseLettered(text: string): ParsedHouseNumber | undefined {
  const match = letteredPattern.exec(text);
  if (match === null) return undefined;
  const low = stripZeros(match[1] ?? '');
  const letter = match[3] ?? '';
  const rest = text.slice(match[0].length);
  const isPoint = 'NSEW'.includes(letter);
  // 123N MAIN ST is 123 N MAIN ST without the space; the letter of 123-N MAIN ST belongs to the number.
  if (isPoint && match[2] === '' && rest !== '') return found(plainNumber(Number(low)), `${letter}${rest}`);
  return found(low === '0' ? plainNumber(0) : gridNumber(isPoint ? `${low}-${letter}` : `${low}${letter}`), rest);
}

function found(number: HouseNumber, rest: string, unit = ''): ParsedHouseNumber {
  return { number, rest: rest.trim(), unit };
}

function plainNumber(value: number): HouseNumber {
  return { low: value, high: value, fraction: '', grid: '' };
}

function gridNumber(grid: string, fraction = ''): HouseNumber {
  const digits = Number(/(\d+)-?[A-Z]?$/.exec(grid)?.[1] ?? 0);
  return { low: digits, high: digits, fraction, grid };
}

function stripZeros(digits: string): string {
  return String(Number(digits));
}

/**
 * Index of the comma-separated part with the street: the first that starts with digits, else the first that starts with
 * a number word (`Terminal Tower, 50 Public Sq`; `One Government Center`). Undefined without either.
 */
export function findStreetSegment(segments: readonly string[]): number | undefined {
  const byDigits = segments.findIndex((segment) => parseDigits(segment) !== undefined);
  if (byDigits >= 0) return byDigits;
  const byWord = segments.findIndex((segment) => parseHouseNumber(segment) !== undefined);
  return byWord >= 0 ? byWord : undefined;
}
