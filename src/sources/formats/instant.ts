import { absent, isKnown, known, type Maybe } from '../../absence.js';
import { localDateOf } from '../../places/metros/local-date-of.js';
import { parseLocalDate } from './local-date.js';

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
  return Number.isNaN(at.getTime()) ? absent('parse_failed') : known(at);
}

/** An epoch time in milliseconds as text for `parseInstant`. */
export function parseEpoch(ms: number): Maybe<string> {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? absent('parse_failed') : known(at.toISOString());
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
