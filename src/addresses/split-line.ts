import { stateCodes } from './tables/state-codes.js';
import { findStreetSegment } from './find-street-segment.js';
import type { AddressFault } from './normalized-address.js';
import { normalizeCity } from './normalize-city.js';
import { splitCity } from './split-city.js';

/** An address taken apart by its commas and its tail; the street is not yet understood. */
export interface AddressParts {
  /** The comma-separated parts of the street, cleaned. */
  readonly segments: readonly string[];
  /** Normalised; empty where the ZIP alone says where. */
  readonly city: string;
  readonly state: string;
  /** Five digits or empty. */
  readonly zip5: string;
}

/** Splits a cleaned one-line address; without commas, the street's end is found by known cities or by its suffix. */
export function splitLine(text: string): AddressParts | AddressFault {
  const segments = text
    .split(',')
    .map((segment) => segment.trim())
    .filter(Boolean);
  dropCountry(segments);
  const zip5 = takeZip(segments);
  const state = takeState(segments);
  if (findStreetSegment(segments) === undefined) return 'no_house_number';
  if (state === undefined) return 'no_state';
  const last = segments.length - 1;
  if (findStreetSegment(segments) !== last) {
    const city = normalizeCity(segments[last] ?? '');
    return city === '' ? 'no_city' : { segments: segments.slice(0, -1), city, state, zip5 };
  }
  const split = splitCity(segments[last] ?? '', state);
  // A street alone lies where its ZIP says.
  if (split === undefined) return zip5 === '' || last > 0 ? 'no_city' : { segments, city: '', state, zip5 };
  return { segments: [...segments.slice(0, -1), split.street], city: split.city, state, zip5 };
}

/** Five digits of a cleaned ZIP or ZIP+4, empty for anything else. */
export function zip5Of(text: string): string {
  const zip5 = /^(\d{5})(?:[- ]?\d{4})?$/.exec(text)?.[1] ?? '';
  return zip5 === '00000' ? '' : zip5;
}

/** Removes `end` from the last segment when it stands there as whole words; an emptied segment goes. */
export function dropEnd(segments: string[], end: string): boolean {
  const last = segments.at(-1);
  if (last === undefined || !(last === end || last.endsWith(` ${end}`))) return false;
  const left = last.slice(0, -end.length).trim();
  segments.splice(-1, 1, ...(left === '' ? [] : [left]));
  return true;
}

function dropCountry(segments: string[]): void {
  ['USA', 'US', 'UNITED STATES OF AMERICA', 'UNITED STATES'].some((country) => dropEnd(segments, country));
}

/** A ZIP or ZIP+4 at the end, also when it sticks to the state (`FL33602`). */
const zipAtEnd = /(?:^| |(?<=(?:^| )[A-Z]{2}))\d{5}(?:[- ]?\d{4})?$/;

function takeZip(segments: string[]): string {
  const last = segments.at(-1) ?? '';
  const zip = zipAtEnd.exec(last)?.[0];
  if (zip === undefined) return '';
  const left = last.slice(0, -zip.length).trim();
  segments.splice(-1, 1, ...(left === '' ? [] : [left]));
  return zip5Of(zip.trim());
}

function takeState(segments: string[]): string | undefined {
  const words = (segments.at(-1) ?? '').split(' ');
  for (let count = 4; count >= 1; count -= 1) {
    const name = words.slice(-count).join(' ');
    const state = words.length < count ? undefined : stateCodes.get(name === 'D C' ? 'DC' : name);
    if (state !== undefined && dropEnd(segments, name)) return state;
  }
  return undefined;
}
