import { absent, known, type Maybe, isKnown } from '../../absence.js';
import { localDateOf } from '../../places/metros/local-date-of.js';
import { notUnderstood } from '../values/not-understood.js';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const midnightWithOffset = /[T ]00:00(:00(\.0+)?)?(Z|[+-]\d{2}:?\d{2})$/;

/** A month in words, and any weekday before it. */
const monthFirst =
  /^(?:[a-z]+,?\s+)?(?<month>[a-z]{3})[a-z]*\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})(?:\s.*)?$/i;
const dayFirst =
  /^(?:[a-z]+,?\s+)?(?<day>\d{1,2})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?(?<month>[a-z]{3})[a-z]*\.?,?[\s-]+(?<year>\d{4})(?:\s.*)?$/i;
/** Years that programs write for a day that they do not know. */
const noYears = ['1899', '1900', '9999'];

/**
 * Parses a calendar day as a county writes it: `12/14/2026`, `12/14/26`, `2026-12-14`, `20261214`, `14-Dec-2026`, or
 * `December 14th, 2026`. A time of day after it is ignored. The text is in the county's calendar, so nothing is
 * converted. With an offset or `Z`, midnight is the day as written; any other time is `parse_failed`, since its day is
 * unknown here. Days of 1899, 1900 and 9999 are not stated.
 */
export function parseLocalDate(text: string): Maybe<string> {
  const iso =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ][\d:.]+)?$/.exec(text.replace(midnightWithOffset, '')) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (iso !== null) return dayOf(iso[1], iso[2], iso[3]);
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|[0-6]\d)(?:\s.*)?$/.exec(text);
  if (american !== null) return dayOf(american[3]?.padStart(4, '20'), american[1], american[2]);
  const { month = '', day, year } = (monthFirst.exec(text) ?? dayFirst.exec(text))?.groups ?? {};
  return dayOf(year, `${months.indexOf(month.toLowerCase()) + 1}`, day);
}

function dayOf(year = '', month = '', day = ''): Maybe<string> {
  if (noYears.includes(year)) return absent('not_stated_by_source');
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${text}T00:00:00.000Z`);
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
  return isDay && Number(year) > 1900 && Number(year) <= 2200 ? known(text) : notUnderstood('not_a_date');
}

const dayMs = 86_400_000;
const moment = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Parses an instant, to the millisecond. A day, or a time without an offset, is the first instant of its day in UTC: it
 * only serves for an age in days.
 */
export function parseInstant(text: string): Maybe<Date> {
  const [, date = text, time = '00:00', zone = 'Z'] = moment.exec(text) ?? [];
  const day = parseLocalDate(date);
  if (!isKnown(day)) return day;
  const at = new Date(`${day.value}T${time}${zone.replace(/:?(\d\d)$/, ':$1')}`);
  return Number.isNaN(at.getTime()) ? notUnderstood('not_a_date') : known(at);
}

/** An epoch time in milliseconds as text for `parseInstant`. */
export function parseEpoch(ms: number): Maybe<string> {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? notUnderstood('not_a_date') : known(at.toISOString());
}

/**
 * The day of an epoch time in milliseconds. Midnight UTC is a day without a time, used as written; any other time is an
 * instant and falls on the county's day.
 */
export function parseEpochDate(ms: number, countyFips: string): Maybe<string> {
  const at = parseEpoch(ms);
  if (!isKnown(at)) return at;
  return known(ms % dayMs === 0 ? at.value.slice(0, 10) : localDateOf(countyFips, new Date(ms)));
}
