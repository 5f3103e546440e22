import { readFileSync } from 'node:fs';
import { isKnown, type Maybe } from '../../absence.js';
import { findProjectFile } from '../../project-file.js';
import { findCounties } from './county-label.js';

/** Each line is a ZIP and a county's FIPS code, in the order of the ZIPs: all are equally long. */
const lineLength = '44105 39035\n'.length;
let table: Buffer | undefined;

/**
 * Five-digit FIPS code of the county with the most of a ZIP's land; undefined for a ZIP without land, as of post office
 * boxes. In Connecticut it is the county before the planning regions. The table is searched as it stands in its file.
 */
export function findCountyOfZip(zip: string): string | undefined {
  const found = readLine(findLine(zip));
  return found?.zip === zip ? found.countyFips : undefined;
}

/**
 * Whether a county has a ZIP of the same sectional center, the first three digits: the ZIPs along its borders, which
 * the table has in the neighbor county, are of such a center.
 */
export function isNearCounty(zip: string, countyFips: string): boolean {
  const center = zip.slice(0, 3);
  for (let number = findLine(center); ; number++) {
    const line = readLine(number);
    if (line === undefined || !line.zip.startsWith(center)) return false;
    if (line.countyFips === countyFips) return true;
  }
}

/** The number of the first line whose ZIP is this one or a later one. */
function findLine(zip: string): number {
  table ??= readLines();
  let [low, high] = [0, table.length / lineLength];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table.toString('latin1', middle * lineLength, middle * lineLength + 5) < zip) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readLine(number: number): { readonly zip: string; readonly countyFips: string } | undefined {
  table ??= readLines();
  const at = number * lineLength;
  if (at >= table.length) return undefined;
  return { zip: table.toString('latin1', at, at + 5), countyFips: table.toString('latin1', at + 6, at + 11) };
}

/** The lines behind the header. */
function readLines(): Buffer {
  const file = readFileSync(findProjectFile('src/places/data/zip-counties.txt'));
  return file.subarray(file.indexOf('\n') + 1);
}

/** Five-digit FIPS code of a place's county: as stated, by name or code, else by its ZIP. */
export function findCountyOfPlace(place: {
  readonly zip: Maybe<string>;
  readonly county: Maybe<string>;
  readonly state: string;
}): string | undefined {
  const byZip = isKnown(place.zip) ? findCountyOfZip(place.zip.value) : undefined;
  const stated = isKnown(place.county) ? findCounties(place.county.value, place.state) : [];
  // A county and a city of one name are told apart by the ZIP.
  return (stated.find(({ countyFips }) => countyFips === byZip) ?? stated[0])?.countyFips ?? byZip;
}

/** Whether a ZIP belongs to a military or diplomatic post office. Source: USPS Publication 28, AA, AE and AP. */
export function isMilitaryZip(zip: string): boolean {
  return /^(09[0-8]|340|96[2-6])/.test(zip);
}
