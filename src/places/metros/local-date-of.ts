import { createHash } from 'node:crypto';
import { countyTimeZones, findTimeZone } from './counties.js';
import { stateTimeZones } from './states.js';

/**
 * The calendar date in a county at a moment, YYYY-MM-DD: there it may still be yesterday when it is today in UTC.
 * Throws a RangeError for a code that is of no state.
 */
export function localDateOf(countyFips: string, now: Date): string {
  const timeZone = findTimeZone(countyFips);
  if (timeZone === undefined) throw new RangeError('The county FIPS code is of no state: five digits are expected.');
  return localDateIn(timeZone, now);
}

/** The calendar date in a time zone (an IANA name) at a moment, YYYY-MM-DD. */
export function localDateIn(timeZone: string, now: Date): string {
  return dateFormatOf(timeZone).format(now);
}

/**
 * Whether two time zones (IANA names) keep the same time through the year, as America/Detroit and America/New_York do;
 * false also where a name is none.
 */
export function isSameTime(one: string, other: string): boolean {
  const seasons = [new Date('2026-01-01T12:00:00Z'), new Date('2026-07-01T12:00:00Z')];
  const timeIn = (timeZone: string, at: Date) => at.toLocaleString('sv-SE', { timeZone });
  try {
    return seasons.every((at) => timeIn(one, at) === timeIn(other, at));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The calendar date at a moment in every time zone of a county, by the zone's IANA name. */
export function todaysAt(now: Date): Readonly<Record<string, string>> {
  return datesAt(now).todays;
}

/** One short text for the calendar dates of all zones: another one whenever a day begins somewhere. */
export function daysAt(now: Date): string {
  return datesAt(now).days;
}

interface Dates {
  readonly minute: number;
  readonly todays: Readonly<Record<string, string>>;
  readonly days: string;
}

let latest: Dates | undefined;

/** Days begin on full minutes, so that what was found is kept for one: a request asks more than once. */
function datesAt(now: Date): Dates {
  const minute = Math.floor(now.getTime() / 60_000);
  if (latest?.minute === minute) return latest;
  const todays = Object.fromEntries(zones.map((timeZone) => [timeZone, localDateIn(timeZone, now)]));
  const days = createHash('sha256').update(Object.values(todays).join(' ')).digest('base64url');
  latest = { minute, todays, days };
  return latest;
}

const zones = [...new Set([...stateTimeZones.values(), ...countyTimeZones.values()])].sort();
const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format costs far more than using it. The Swedish form of a date is the ISO one. */
function dateFormatOf(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format;
}
