import { createHash } from 'node:crypto';
import { countyTimeZones, findTimeZone } from './counties.js';
import { stateTimeZones } from './states.js';

/**
 * The calendar date in a county, YYYY-MM-DD: it may still be yesterday there when it is today in UTC.
 *
 * @throws RangeError for a code without a state
 */
export function localDateOf(countyFips: string, now: Date): string {
  const timeZone = findTimeZone(countyFips);
  if (timeZone === undefined)
    throw new RangeError('The county FIPS code has no known state: five digits are expected.');
  return localDateIn(timeZone, now);
}

/** The calendar date in a time zone (an IANA name), YYYY-MM-DD. */
export function localDateIn(timeZone: string, now: Date): string {
  return dateFormatOf(timeZone).format(now);
}

/**
 * Whether two time zones (IANA names) have the same time all year, like America/Detroit and America/New_York; false for
 * an unknown name.
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

/** The calendar date in every time zone of a county, by IANA name. */
export function todaysAt(now: Date): Readonly<Record<string, string>> {
  return datesAt(now).todays;
}

/** A short text for the calendar dates of all zones; it changes whenever a day begins somewhere. */
export function daysAt(now: Date): string {
  return datesAt(now).days;
}

interface Dates {
  readonly minute: number;
  readonly todays: Readonly<Record<string, string>>;
  readonly days: string;
}

let latest: Dates | undefined;

/** Days begin on full minutes, so results are cached for one: a request needs them several times. */
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

/** Creating a format costs far more than using it. The Swedish date format is the ISO format. */
function dateFormatOf(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format;
}
