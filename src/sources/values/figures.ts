import { Decimal } from 'decimal.js';
import { absent, known, type Maybe } from '../../absence.js';
import type { DecimalText } from '../../decimal-text.js';
import { notUnderstood, type ValueCode } from './not-understood.js';

/** The least and the greatest figure that a value can have. */
export interface DecimalRange {
  readonly min: string;
  readonly max: string;
}

const grouped = /^\d{1,3}(?:([, ])\d{3}(?:\1\d{3}){0,3})?(?:\.\d+)?$/;
const plain = /^\d{1,13}(?:\.\d+)?$/;
/** A point and three zeros are decimals to some, and thousands to others. */
const ambiguous = /^[1-9]\d{0,2}\.000$/;
const exponential = /^(\d(?:\.\d+)?)e\+?(\d{1,2})$/i;
/** A spreadsheet rounds to so many digits when it writes an exponent: a number with fewer has lost none. */
const digitsOfRounding = 6;
const several = /\d\s*[km%$]?\s*(?:-|\u2013|\u2014|\bto\b|\/)\s*\$?\s*\d/i;

/** The figure of a text without currency and sign, or why it is none. */
function readFigure(text: string): Decimal | ValueCode {
  if ((grouped.test(text) || plain.test(text)) && !ambiguous.test(text)) return new Decimal(text.replace(/[, ]/g, ''));
  const [, digits = '', exponent = ''] = exponential.exec(text) ?? [];
  if (digits !== '')
    return digits.replace('.', '').length < digitsOfRounding ? new Decimal(`${digits}e${exponent}`) : 'digits_lost';
  if (several.test(text)) return 'range';
  return /^[\d.,'\s]*\d[\d.,'\s]*$/.test(text) ? 'grouping' : 'not_a_number';
}

/** A figure with its sign: a minus, or parentheses as accountants write them. */
function readSigned(text: string): Decimal | ValueCode {
  const [, bare] = /^\((.+)\)$/.exec(text) ?? /^[-\u2212] ?(.+)$/.exec(text) ?? [];
  const figure = readFigure((bare ?? text).replace(/^\$ ?| ?\$$/g, ''));
  return bare === undefined || typeof figure === 'string' ? figure : figure.negated();
}

const thousands: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };
/** No figure is written in more characters; longer texts are not searched for one. */
const longest = 80;

function tidyOf(text: string): string {
  return text.length > longest ? '' : text.replace(/\s+/g, ' ').trim();
}

/** The amount of a text: `$389,000`, `USD 389 000`, `389K`, `1.2M`; or why it is none. */
function readAmount(text: string): Decimal | ValueCode {
  const bare = tidyOf(text)
    .replace(/^USD ?| ?USD$/gi, '')
    .replace(/^\$ ?(?=[-(])/, '');
  const [, digits, unit = ''] = /^(.*\d) ?([km])(?: ?\$)?$/i.exec(bare) ?? [];
  const amount = readSigned(digits ?? bare);
  return digits === undefined || typeof amount === 'string' ? amount : amount.times(thousands[unit.toLowerCase()] ?? 1);
}

/**
 * USD as a plain decimal, half-up to the cent: `$389,000`, `389 000 $`, `USD 389,000`, `389K`, `1.2M`, and `(1,200)`
 * for a minus. What may mean two things is not understood: `1234,5`, a range.
 */
export function parseMoney(text: string, range: DecimalRange): Maybe<DecimalText> {
  const amount = readAmount(text);
  if (typeof amount === 'string') return notUnderstood(amount);
  return within(amount.toDecimalPlaces(2, Decimal.ROUND_HALF_UP), range);
}

/** Parses a figure that cannot truly be zero: `0`, `$0.00` or `0%`, also when zero to the cent, means not stated. */
export function unlessZero<T>(text: string, parse: (text: string) => Maybe<T>): Maybe<T> {
  const amount = readAmount(text.replace(/ ?%$/, ''));
  const isZero = typeof amount !== 'string' && amount.abs().lt('0.005');
  return isZero ? absent('not_stated_by_source') : parse(text);
}

const proForma = / ?\(?\bpro[ -]?forma\b\)? ?/i;

/** True for a rate that its source calls pro forma: what it expects, not what it has. */
export function isProForma(text: string): boolean {
  return proForma.test(tidyOf(text));
}

/**
 * A rate in percent as a plain decimal: `9.4`, `9.4%`, `~9.4%`, `9.4% pro forma`. One under 1 may be a fraction, and is
 * not guessed, unless such a rate is possible and has its percent sign.
 */
export function parseRate(text: string, range: DecimalRange): Maybe<DecimalText> {
  const bare = tidyOf(text).replace(proForma, '').replace(/^~ ?/, '');
  const rate = readSigned(bare.replace(/ ?%$/, ''));
  if (typeof rate === 'string') return notUnderstood(rate);
  const mayBeFraction = rate.lt(range.min) || (range.min === '0' && !bare.endsWith('%'));
  return rate.gt(0) && rate.lt(1) && mayBeFraction ? notUnderstood('fraction_or_percent') : within(rate, range);
}

/** A whole number between `min` and `max`: `1,200`, also written as a float, `6.0`. */
export function parseCount(text: string, min: number, max: number): Maybe<number> {
  const bare = tidyOf(text);
  if (/^(\d{1,3}(,\d{3}){1,2}|\d{1,9})(\.0+)?$/.test(bare)) {
    const count = Number(bare.replaceAll(',', ''));
    return count >= min && count <= max ? known(count) : notUnderstood('out_of_range');
  }
  if (several.test(bare)) return notUnderstood('range');
  if (/^\d+ ?\+/.test(bare)) return notUnderstood('open_ended');
  return notUnderstood(/^-\d/.test(bare) ? 'negative' : 'not_a_number');
}

const numberWords = [
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen'],
  ...['fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty'],
];

/** A number of units: `6`, `6 units`, `six`. */
export function parseUnits(text: string, max: number): Maybe<number> {
  const bare = tidyOf(text).replace(/[ -]?units?$/i, '');
  const word = numberWords.indexOf(bare.toLowerCase()) + 1;
  return parseCount(word > 0 ? `${word}` : bare, 1, max);
}

function within(figure: Decimal, { min, max }: DecimalRange): Maybe<DecimalText> {
  if (figure.gte(min) && figure.lte(max)) return known(figure.toFixed());
  return notUnderstood(figure.lt(0) && new Decimal(min).gte(0) ? 'negative' : 'out_of_range');
}
