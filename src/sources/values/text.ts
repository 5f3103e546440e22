import { absent, known, type Maybe } from '../../absence.js';
import { hasLostDigits } from '../../places/addresses/parcel.js';
import { notUnderstood } from './not-understood.js';

/** Words by which sources mark a value as not stated; neither faults nor values. */
const notStated = new Set([
  ...['', '-', '--', '\u2013', '\u2014', 'n/a', 'na', 'null', 'none', 'nil', 'unknown', 'tbd', 'undisclosed'],
  ...['not disclosed', 'unpriced', 'call', 'call for price', 'call for offers', 'price on request', 'upon request'],
  ...['address not disclosed', 'undisclosed address', 'address undisclosed'],
]);

/** The trimmed text of a column's value: text unchanged, a JSON number or boolean as in JSON, a list joined by `;`. */
export function textOf(value: unknown): Maybe<string> {
  if (value === undefined || value === null) return absent('not_stated_by_source');
  if (Array.isArray(value))
    return value.every((item) => isScalar(item) && !isRounded(item))
      ? textOf(value.join(';'))
      : notUnderstood('not_plain_text');
  if (!isScalar(value)) return notUnderstood('not_plain_text');
  if (isRounded(value)) return notUnderstood('digits_lost');
  const text = String(value).trim();
  return notStated.has(text.toLowerCase()) ? absent('not_stated_by_source') : known(text);
}

/** One line of at most `max` characters, without control, formatting or broken characters. */
export function parseLine(text: string, max: number): Maybe<string> {
  const line = text.replace(/\s+/g, ' ');
  const isPlain = line.length <= max && /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\ufffd]+$/u.test(line);
  return isPlain ? known(line) : notUnderstood('not_plain_text');
}

/** An identifying number or name in one line of at most `max` characters, with all its digits. */
export function parseIdentifier(text: string, max: number): Maybe<string> {
  return hasLostDigits(text) ? notUnderstood('digits_lost') : parseLine(text, max);
}

/** A county's parcel number; `length` is how many letters and digits each has, where the county declares it. */
export function parseParcelId(text: string, length = 1): Maybe<string> {
  return text.replace(/[^a-z0-9]/gi, '').length < length ? notUnderstood('digits_lost') : parseIdentifier(text, 60);
}

/** Free text of at most `max` characters; control, formatting and broken characters become spaces. */
export function parseRemarks(text: string, max: number): Maybe<string> {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\ufffd\s]+/gu, ' ').trim();
  return plain === '' || plain.length > max ? notUnderstood('not_plain_text') : known(plain);
}

/** One of `codes`, in any case, with spaces or hyphens for underscores. */
export function parseCode<T extends string>(text: string, codes: readonly T[]): Maybe<T> {
  const code = codes.find((candidate) => candidate === text.toLowerCase().replace(/[\s-]+/g, '_'));
  return code === undefined ? notUnderstood('invalid_value') : known(code);
}

/** Lower-case words, whatever stands between them. */
export function wordsIn(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** Yes or no in the spellings of display flags; undefined for anything else. */
export function parseFlag(text: string): boolean | undefined {
  if (/^(y|yes|true|t|1)$/i.test(text)) return true;
  if (/^(n|no|false|f|0)$/i.test(text)) return false;
  return undefined;
}

/** An absolute http or https URL without credentials, at most 2,000 characters; `www.` alone begins one of https. */
export function parseUrl(text: string): Maybe<string> {
  const address = text.replace(/^(?=www\.)/i, 'https://');
  if (address.length > 2000 || !/^https?:\/\/[!-~]+$/i.test(address) || !URL.canParse(address))
    return notUnderstood('not_a_url');
  const url = new URL(address);
  return url.username === '' && url.password === '' ? known(url.href) : notUnderstood('not_a_url');
}

/** A JavaScript number above 2^53 loses digits. */
function isRounded(value: string | number | boolean): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
