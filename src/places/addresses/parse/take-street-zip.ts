import { directionals, valuedDesignators } from '../tables/words.js';
import { endsWithLongRoad } from './find-highway.js';
import { parseHouseNumber } from './parse-house-number.js';

const zipAtEnd = /(?:^| )(\d{5})(?:-\d{4})?$/;

/**
 * Removes the ZIP from the end of the street, or between commas before the city, each time it occurs: no unit without a
 * designator has five digits. A ZIP other than a known one stays.
 */
export function takeStreetZip(segments: readonly string[], zip5: string): ZipTaken {
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at] ?? '';
    const found = endsWithDigit(segment) ? zipAtEnd.exec(segment) : null;
    const zip = found?.[1] ?? '00000';
    if (found === null || zip === '00000' || (zip5 !== '' && zip !== zip5)) continue;
    const left = segment.slice(0, found.index);
    if (endsBefore(left) && (zip === zip5 || !endsWithLongRoad(left.split(' '))))
      return takeStreetZip(segments.toSpliced(at, 1, ...(left === '' ? [] : [left])), zip);
  }
  return { segments, zip5 };
}

interface ZipTaken {
  readonly segments: readonly string[];
  /** The known or removed ZIP; empty for none. */
  readonly zip5: string;
}

/** Fast path for nearly every address. */
function endsWithDigit(text: string): boolean {
  const code = text.charCodeAt(text.length - 1);
  return code >= 48 && code <= 57;
}

/** True when the street, or nothing, precedes the ZIP; false after `APT` or a house number alone. */
function endsBefore(text: string): boolean {
  if (text === '') return true;
  const words = parseHouseNumber(text)?.rest.split(' ') ?? [];
  const last = words.at(-1) ?? '';
  if (last === '&' || last === 'NO' || last === 'BOX' || valuedDesignators.has(last)) return false;
  return words.some((word) => word !== '' && !directionals.has(word));
}
