import { stateCodes } from '../tables/cities.js';
import { findCity, type AddressParts } from './find-city.js';
import { findStreetSegment } from './parse-house-number.js';
import type { AddressFault } from '../normalized-address.js';
import { splitSegments } from './split-segments.js';

/** Splits a cleaned one-line address. Without commas, known cities or the suffix mark the end of the street. */
export function splitLine(text: string): AddressParts | AddressFault {
  const segments = splitSegments(text);
  dropCountry(segments);
  const zip5 = takeZip(segments);
  const state = takeState(segments);
  if (state === undefined) return findStreetSegment(segments) === undefined ? 'no_house_number' : 'no_state';
  return findCity(segments, state, zip5);
}

/** The five digits of a cleaned ZIP or ZIP+4; empty for anything else. */
export function zip5Of(text: string): string {
  const zip5 = /^(\d{5})(?:[- ]?\d{4})?$/.exec(text)?.[1] ?? '';
  return zip5 === '00000' ? '' : zip5;
}

/** Removes `end` from the last segment if it ends with these whole words; removes an emptied segment. */
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

/** A ZIP or ZIP+4 at the end, even directly after the state (`FL33602`). */
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
