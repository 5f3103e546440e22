import { v5 } from 'uuid';
import { parcelKey } from '../../places/addresses/parcel.js';
import type { ObservedParcel } from './observed-parcel.js';
import { valueOf } from '../../absence.js';
import { cleanText } from '../../places/addresses/parse/clean-text.js';
import { judgeOwnAddress, type StatedPlace } from '../../places/addresses/own-address.js';

/** Namespace of all parcel row ids. Changing it makes every row a new one. */
const namespace = '4f0c1d0e-9a62-4b5d-8c7f-6a1d3f5e2b90';

/**
 * The identity of a roll's row: parcel and situs, so that several addresses of one parcel are all kept. Undefined when
 * the parcel number is not valid.
 */
export function identifyParcel(parcel: ObservedParcel) {
  const key = parcelKey(parcel.countyFips, parcel.parcelId);
  if (key === undefined) return undefined;
  const situs = situsOf(parcel);
  return { id: v5(`${key}|${situs ?? ''}`, namespace), parcelKey: key, situs };
}

/**
 * A parcel's situs as one text: the street line in capitals, single spaces; undefined when the roll gives none.
 * Comparable only within one parcel.
 */
export function situsOf(place: StatedPlace): string | undefined {
  const text = valueOf(place.address);
  if (text === undefined || judgeOwnAddress(place) !== 'usable') return undefined;
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
