import { Decimal } from 'decimal.js';
import { absent, isKnown, known, type Maybe } from '../../absence.js';
import { hasLostDigits } from '../../places/addresses/parcel.js';
import type { DecimalText } from '../../decimal-text.js';

/** Words by which sources mark a value as not stated; neither faults nor values. */
const notStated = new Set([
  ...['', '-', '--', 'n/a', 'na', 'null', 'none', 'nil', 'unknown', 'tbd', 'undisclosed', 'not disclosed', 'unpriced'],
  ...['call', 'call for price', 'call for offers', 'price on request', 'upon request', 'address not disclosed'],
]);
const parseFailed = absent('parse_failed');

/** The trimmed text of a column's value: text unchanged, a JSON number or boolean as in JSON, a list joined by `;`. */
export function textOf(value: unknown): Maybe<string> {
  if (value === undefined || value === null) return absent('not_stated_by_source');
  if (Array.isArray(value))
    return value.every((item) => isScalar(item) && !isRounded(item)) ? textOf(value.join(';')) : parseFailed;
  if (!isScalar(value) || isRounded(value)) return parseFailed;
  const text = String(value).trim();
  return notStated.has(text.toLowerCase()) ? absent('not_stated_by_source') : known(text);
}

/** One line of at most `max` characters, without control, formatting or broken characters. */
export function parseLine(text: string, max: number): Maybe<string> {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= max && /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\ufffd]+$/u.test(line) ? known(line) : parseFailed;
}

/** An identifying number or name in one line of at most `max` characters; `parse_failed` when digits were lost. */
export function parseIdentifier(text: string, max: number): Maybe<string> {
  return hasLostDigits(text) ? parseFailed : parseLine(text, max);
}

/** Free text of at most `max` characters; control, formatting and broken characters become spaces. */
export function parseRemarks(text: string, max: number): Maybe<string> {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\ufffd\s]+/gu, ' ').trim();
  return plain === '' || plain.length > max ? parseFailed : known(plain);
}

export interface DecimalRange {
  readonly min: string;
  readonly max: string;
}

/**
 * USD as a plain decimal. Accepts one leading `$`, and thousands commas in groups of three. Anything else (`1.2M`,
 * `1234,5`, a range) is `parse_failed`.
 */
export function parseMoney(text: string, range: DecimalRange): Maybe<DecimalText> {
  const match = /^(-?)\$?\s?(\d{1,3}(?:,\d{3}){1,4}|\d{1,13})(\.\d{1,6})?$/.exec(text);
  return match === null
    ? parseFailed
    : parseDecimal(`${match[1]}${match[2]?.replaceAll(',', '')}${match[3] ?? ''}`, range);
}

/** A rate in percent as a plain decimal. Accepts one trailing `%`. */
export function parseRate(text: string, range: DecimalRange): Maybe<DecimalText> {
  const match = /^(\d{1,6}(?:\.\d{1,8})?)\s?%?$/.exec(text);
  return match?.[1] === undefined ? parseFailed : parseDecimal(match[1], range);
}

const underHalfACent = { min: '-0.004999', max: '0.004999' };

/** Parses a figure that cannot truly be zero: `0`, `$0.00` or `0%`, also when zero to the cent, means not stated. */
export function unlessZero<T>(text: string, parse: (text: string) => Maybe<T>): Maybe<T> {
  const isZero = isKnown(parseMoney(text.replace(/\s?%$/, ''), underHalfACent));
  return isZero ? absent('not_stated_by_source') : parse(text);
}

/** A whole number between `min` and `max`. Accepts thousands commas in groups of three. */
export function parseCount(text: string, min: number, max: number): Maybe<number> {
  const count = /^(\d{1,3}(,\d{3}){1,2}|\d{1,9})$/.test(text) ? Number(text.replaceAll(',', '')) : NaN;
  return count >= min && count <= max ? known(count) : parseFailed;
}

/** Five digits, also from ZIP+4. A ZIP without its leading zero is not repaired: `parse_failed`. */
export function parseZip(text: string): Maybe<string> {
  const zip = /^(\d{5})(-?\d{4})?$/.exec(text)?.[1];
  return zip === undefined || zip === '00000' ? parseFailed : known(zip);
}

/** An absolute http or https URL without credentials, at most 2,000 characters. */
export function parseUrl(text: string): Maybe<string> {
  if (text.length > 2000 || !/^https?:\/\/[!-~]+$/i.test(text) || !URL.canParse(text)) return parseFailed;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? known(url.href) : parseFailed;
}

/** One of `codes`, in any case, with spaces or hyphens for underscores. */
export function parseCode<T extends string>(text: string, codes: readonly T[]): Maybe<T> {
  const code = codes.find((candidate) => candidate === text.toLowerCase().replace(/[\s-]+/g, '_'));
  return code === undefined ? parseFailed : known(code);
}

/** Yes or no in the spellings of display flags; undefined for anything else. */
export function parseFlag(text: string): boolean | undefined {
  if (/^(y|yes|true|t|1)$/i.test(text)) return true;
  if (/^(n|no|false|f|0)$/i.test(text)) return false;
  return undefined;
}

function parseDecimal(digits: string, range: DecimalRange): Maybe<DecimalText> {
  const value = new Decimal(digits);
  return value.gte(range.min) && value.lte(range.max) ? known(value.toFixed()) : parseFailed;
}

/** A JavaScript number above 2^53 loses digits. */
function isRounded(value: string | number | boolean): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
