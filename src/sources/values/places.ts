import { absent, isKnown, known, type Maybe } from '../../absence.js';
import { stateCodes } from '../../places/addresses/tables/cities.js';
import type { Point } from '../../places/metros/zip-centroids.js';
import { findStatesOfZip } from '../../places/metros/states.js';
import { notUnderstood } from './not-understood.js';
import { parseLine } from './text.js';

/** The two-letter code of a US state or territory, from its code or its full name. */
export function parseState(text: string): Maybe<string> {
  const name = text.toUpperCase().replaceAll('.', '').replace(/\s+/g, ' ');
  const code = stateCodes.get(name.replace(/^US (?=VIRGIN)/, ''));
  return code === undefined ? notUnderstood('unknown_state') : known(code);
}

/** A point of the map, stated in two columns or in one: `location` is a point of GeoJSON, Socrata or ArcGIS. */
export function parsePoint(location: unknown, [north, east]: readonly [unknown, unknown]): Point | undefined {
  if (typeof location === 'object' && location !== null) {
    const { coordinates, latitude, longitude, x, y } = location as Readonly<Record<string, unknown>>;
    const [first, second] = Array.isArray(coordinates) ? (coordinates as unknown[]) : [longitude ?? x, latitude ?? y];
    return parsePoint(undefined, [second, first]);
  }
  const degrees = [north, east].map((each) =>
    /^[+-]?\d{1,3}(\.\d+)?$/.test(String(each).trim()) ? Number(each) : NaN,
  );
  const [latitude = NaN, longitude = NaN] = degrees;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** How many leading zeros a ZIP may have lost, by the states whose ZIPs begin with them. */
const lostZeros: Readonly<Record<string, number>> = { CT: 1, MA: 1, ME: 1, NH: 1, NJ: 1, RI: 1, VT: 1, PR: 2 };

/**
 * Five digits, also from ZIP+4, from a float, and behind an apostrophe. Zeros that a spreadsheet removed are restored
 * where the state's ZIPs begin with so many and the ZIP then lies in it.
 */
export function parseZip(text: string, state = ''): Maybe<string> {
  const [, digits = ''] = /^'?(\d{3,5})(?:[- ]?\d{4})?(?:\.0+)?$/.exec(text) ?? [];
  const lost = 5 - digits.length;
  if (/^0*$/.test(digits)) return notUnderstood('not_a_zip');
  if (lost === 0) return known(digits);
  const zip = digits.padStart(5, '0');
  return lost === lostZeros[state] && findStatesOfZip(zip).includes(state)
    ? known(zip)
    : notUnderstood('zip_digits_lost');
}

/** Words around an address that say what is offered, not where: `FOR SALE`, `- 4 Family`. */
const offered =
  /^for sale\b[\s:,|*!-]*|[\s:,|*!(-]*\bfor sale\b[\s*!)]*$|\s*[-\u2013\u2014]\s*\d{1,3}[ -]?(?:family|units?|plex)$/gi;

/** The street address of a listing, without what is no part of it. One of number 0, or undisclosed, is none. */
export function parseAddress(text: string): Maybe<string> {
  const line = parseLine(text, 200);
  if (!isKnown(line)) return line;
  const street = line.value.replace(offered, '').replace(offered, '').trim();
  return street === '' || /^(undisclosed\b|0+ )/i.test(street) ? absent('not_stated_by_source') : known(street);
}
