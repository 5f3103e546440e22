import { type Absent, absent, type Maybe } from '../../absence.js';

/** What is expected of a written value, by the code of what is wrong with it. Source: docs/decisions/sources.md. */
export const expectations = {
  range: 'one figure, not a range',
  grouping: 'commas or blanks between groups of three digits, and a point before decimals',
  negative: 'no negative figure',
  not_a_number: 'a figure in digits',
  out_of_range: 'a figure that such a value can have',
  fraction_or_percent: 'percent, such as 8.5, not a fraction of 1',
  open_ended: 'the exact number',
  unknown_state: 'a US state or territory, by code or name',
  zip_digits_lost: 'all five digits of a ZIP',
  not_a_zip: 'five digits, or nine',
  not_a_year: 'a year, such as 1924',
  not_a_date: 'a day, such as 12/14/2026',
  unknown_type: 'a known type of building',
  unknown_term: 'a known financing term',
  invalid_value: 'a known word',
  not_a_url: 'an http or https address',
  digits_lost: 'all digits, written as text',
  not_a_list: 'a list that can be read to its end',
  not_plain_text: 'plain text of usual length',
} as const;
export type ValueCode = keyof typeof expectations;

/** One object for each code: what is stored of it stays `parse_failed` alone; the code is for who reads the value. */
const failures = new Map(Object.keys(expectations).map((code) => [code as ValueCode, absent('parse_failed')]));
const codes = new Map<Maybe<unknown>, ValueCode>([...failures].map(([code, failure]) => [failure, code]));

/** A value that is stated and not understood, as `parse_failed`; `codeOf` tells why. */
export function notUnderstood(code: ValueCode): Absent {
  return failures.get(code) ?? absent('parse_failed');
}

/** Why a value was not understood; undefined for any other value. */
export function codeOf(value: Maybe<unknown>): ValueCode | undefined {
  return 'absent' in value && value.absent === 'parse_failed' ? (codes.get(value) ?? 'not_plain_text') : undefined;
}
