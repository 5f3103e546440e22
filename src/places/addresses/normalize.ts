import { isDeepStrictEqual } from 'node:util';
import { cleanText } from './parse/clean-text.js';
import { queensCities, queensZips, stateCodes } from './tables/cities.js';
import { subdivisionWords, venueWords } from './tables/words.js';
import { findCity, type AddressParts } from './parse/find-city.js';
import { findStreetSegment, parseHouseNumber } from './parse/parse-house-number.js';
import { normalizeCity } from './normalize-city.js';
import {
  addressNotParsed,
  type AddressFault,
  type AddressNotParsed,
  type NormalizedAddress,
} from './normalized-address.js';
import { cannotBeCity, readBeyond } from './parse/read-beyond.js';
import { readStreetLine } from './parse/read-street-line.js';
import { renderAddress } from './render-address.js';
import { dropEnd, splitLine, zip5Of } from './parse/split-line.js';
import { splitCity } from './parse/split-city.js';
import { splitSegments } from './parse/split-segments.js';
import { takeStreetZip } from './parse/take-street-zip.js';
import { noUnit, unitOf, type FoundUnit } from './parse/split-unit.js';

/** An address in separate parts. `state` is a code or a name, `zip` a ZIP or a ZIP+4. */
export interface SeparateAddress {
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zip?: string | undefined;
}

const longestText = 300;

/**
 * Parses a US street address, on one line or in parts, or states why it is not the address of a property. Needs the
 * state, and city or ZIP. Pure; never throws; bounded time for any text. Rendering the result with `renderAddress` and
 * normalizing it again gives the same result. Sources of the rules: USPS Publication 28 and
 * docs/decisions/addresses.md.
 */
export function normalizeAddress(address: string | SeparateAddress): NormalizedAddress | AddressNotParsed {
  const texts = typeof address === 'string' ? [address] : [address.street, address.city, address.state];
  if (texts.some((text) => text.length > longestText)) return addressNotParsed('too_long');
  const result = typeof address === 'string' ? readLine(address) : readParts(address);
  if (typeof result === 'string') return addressNotParsed(result);
  return isFixed(result) ? result : addressNotParsed('no_street_name');
}

/** An address of several parts is valid only if its own rendering parses to the same address. */
function isFixed(address: NormalizedAddress): boolean {
  const { isUnitPresumed, beyond, unit, city } = address;
  const isPlain = isUnitPresumed === undefined && beyond === undefined && !unit.includes('LOT');
  if (isPlain && !subdivisionWords.has(city.split(' ', 1)[0] ?? '')) return true;
  return isDeepStrictEqual(readLine(renderAddress(address)), address);
}

const poBox = /\b(?:P ?O|POST OFFICE) BOX\b|^BOX \d|^(?:RR|HC|RURAL ROUTE) ?\d+ BOX\b/;

function readLine(line: string): NormalizedAddress | AddressFault {
  const text = cleanText(line);
  return readFound(splitLine(text), text);
}

function readFound(parts: AddressParts | AddressFault, text: string): NormalizedAddress | AddressFault {
  if (typeof parts !== 'string') return readAddress(parts);
  return parts === 'no_house_number' ? explainNoNumber(text) : parts;
}

function readParts(address: SeparateAddress): NormalizedAddress | AddressFault {
  const state = stateCodes.get(cleanText(address.state));
  const city = normalizeCity(cleanText(address.city).split(',', 1)[0] ?? '');
  if (state === undefined) return 'no_state';
  const zip5 = zip5Of(cleanText((address.zip ?? '').slice(0, longestText)));
  if (city === '' && zip5 === '') return 'no_city';
  const street = cleanText(address.street);
  const segments = splitSegments(street);
  // Some sources have no city, or put it after the street.
  if (city === '') return readFound(findCity(dropRepeatedPlace(segments, state, zip5), state, zip5), street);
  return readAddress({ segments: dropRepeatedTail(segments, { city, state, zip5 }), city, state, zip5 });
}

/** The same without a city: a state at the end, alone or before its ZIP, is not a suffix such as CT. */
function dropRepeatedPlace(segments: string[], state: string, zip5: string): string[] {
  const shorter = [...segments];
  if (dropEnd(shorter, zip5) || (shorter.length > 1 && shorter.at(-1) === state)) dropEnd(shorter, state);
  return findStreetSegment(shorter) === undefined ? segments : shorter;
}

/** Drops city, state and ZIP that some sources repeat after the street, when they agree with the parts. */
function dropRepeatedTail(segments: string[], { city, state, zip5 }: Omit<AddressParts, 'segments'>): string[] {
  const shorter = [...segments];
  const isZipDropped = zip5 !== '' && dropEnd(shorter, zip5);
  const isStateDropped = dropEnd(shorter, state);
  const isCityDropped = isStateDropped ? dropEnd(shorter, city) : shorter.at(-1) === city && dropEnd(shorter, city);
  // Text before the state is another name of the city.
  const isOther = isStateDropped && !isCityDropped && shorter.length > 1 && normalizeCity(shorter.at(-1) ?? '') !== '';
  if (isOther && !cannotBeCity(shorter.at(-1) ?? '')) shorter.pop();
  const isDropped = isCityDropped || isOther || (isZipDropped && isStateDropped);
  return isDropped && findStreetSegment(shorter) !== undefined ? shorter : segments;
}

function explainNoNumber(text: string): AddressFault {
  if (poBox.test(text)) return 'po_box';
  return venueWords.test(text) ? 'venue' : 'no_house_number';
}

function readAddress({ city, state, ...known }: AddressParts): NormalizedAddress | AddressFault {
  const { segments, zip5 } = takeStreetZip(known.segments, known.zip5);
  const at = findStreetSegment(segments);
  if (at === undefined) return explainNoNumber(segments.join(','));
  const others = segments.filter((_, index) => index !== at);
  if (others.some((segment) => venueWords.test(segment))) return 'venue';
  const text = segments[at] ?? '';
  if (isZero(text)) return 'zero_house_number';
  const isHyphenated = state === 'NY' && (zip5 === '' ? queensCities.has(city) : queensZips.test(zip5));
  const how = { isHyphenated, state };
  const alone = readStreetLine(text, how);
  const found = alone?.unit === '' ? findUnit(others) : noUnit;
  const units = [found.unit, ...findLots(others)].filter((unit) => !` ${alone?.unit ?? ''}`.endsWith(` ${unit}`));
  const unitText = [...new Set(units)].filter(Boolean).join(' ');
  const read = unitText === '' ? alone : readStreetLine(`${text} ${unitText}`, how);
  if (read === undefined) return 'no_street_name';
  if (read.suffix === '' && isVenue(read.street)) return 'venue';
  const { number, preDirectional, street, suffix, postDirectional, unit, line, isPresumed } = read;
  const beyond = readBeyond({ segments, streetIndex: at, city, state });
  const written = unit === '' ? line : `${line} ${unit}`;
  // Invalid when the street's own rendering would parse differently.
  if (takeStreetZip(splitSegments(written), zip5).segments[0] !== written) return 'no_street_name';
  // A street that only one spelling parses without a city is ambiguous.
  if (city === '' && written !== text && splitCity(written, state)?.city !== '') return 'no_city';
  const isUnitPresumed = isPresumed || (found.isPresumed && unitText === found.unit);
  const keyWithoutZip = [line, city, state, ...beyond].join('|');
  const key = zip5 === '' ? keyWithoutZip : [line, state, zip5, ...beyond].join('|');
  // To spread an object takes as long as the rest of this.
  const address = {
    number,
    preDirectional,
    street,
    suffix,
    postDirectional,
    unit,
    city,
    state,
    zip5,
    key,
    keyWithoutZip,
  };
  if (!isUnitPresumed && beyond.length === 0) return address;
  return { ...address, ...(isUnitPresumed && { isUnitPresumed }), ...(beyond.length > 0 && { beyond }) };
}

/** Assessors number land without an address 0. */
function isZero(text: string): boolean {
  const number = parseHouseNumber(text)?.number;
  return number?.low === 0 && number.grid === '';
}

/** True for a name that ends with a venue's words and has more: `PERRY ST COURTHOUSE`, not `COURTHOUSE`. */
function isVenue(street: string): boolean {
  const index = street.search(venueWords);
  return index > 0 && street.slice(index).replace(venueWords, '') === '';
}

/** The unit in a comma-separated part of its own. */
function findUnit(segments: readonly string[]): FoundUnit {
  for (const segment of segments) {
    const found = unitOf(segment);
    if (found.unit !== '') return found;
  }
  return noUnit;
}

/** Lots distinguish places, so all of them are kept. */
function findLots(segments: readonly string[]): string[] {
  return segments.map((segment) => unitOf(segment).unit).filter((unit) => unit.startsWith('LOT '));
}
