import { findStreetSegment } from './parse-house-number.js';
import { isCounty, normalizeCity } from '../normalize-city.js';
import type { AddressFault } from '../normalized-address.js';
import { cannotBeCity } from './read-beyond.js';
import { splitCity } from './split-city.js';
import { isUnit } from './split-unit.js';
import { takeStreetZip } from './take-street-zip.js';

/** An address split by its commas and its tail; the street is not parsed yet. */
export interface AddressParts {
  /** The comma-separated parts of the street, cleaned. */
  readonly segments: readonly string[];
  /** Normalized; empty when only the ZIP gives the place. */
  readonly city: string;
  readonly state: string;
  /** Five digits or empty. */
  readonly zip5: string;
}

const zipBeforeCity = /^(\d{5})(?:-\d{4})? (.+)$/;

/**
 * Separates the city from the street in an address with known state and ZIP. The city follows the last comma, ignoring
 * units, parts of a subdivision, second streets and the county. Without a comma it follows the street, found by known
 * cities or the street's suffix. A street alone lies in its ZIP.
 */
export function findCity(all: readonly string[], state: string, knownZip5: string): AddressParts | AddressFault {
  const { segments, zip5 } = takeStreetZip(all, knownZip5);
  const at = findStreetSegment(segments);
  if (at === undefined) return 'no_house_number';
  const last = segments.at(-1) ?? '';
  const others = segments.slice(0, -1);
  if (at < others.length) {
    if (isCounty(last)) return findCity(others, state, zip5);
    if (isUnit(last) || cannotBeCity(last)) {
      const parts = findCity(others, state, zip5);
      return typeof parts === 'string' ? parts : { ...parts, segments: [...parts.segments, last] };
    }
    const [, zip = zip5, name = last] = zipBeforeCity.exec(last) ?? [];
    const city = normalizeCity(name);
    const isOne = zip5 === '' || zip === zip5;
    return city === '' || !isOne ? 'no_city' : { segments: others, city, state, zip5: zip };
  }
  const split = splitCity(last, state);
  if (split === undefined || (split.city === '' && zip5 === '')) return 'no_city';
  return { segments: [...others, split.street], city: split.city, state, zip5 };
}
