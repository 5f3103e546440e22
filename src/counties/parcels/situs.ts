import { valueOf, type Maybe } from '../../absence.js';
import { cleanText } from '../../places/addresses/parse/clean-text.js';
import { judgeOwnAddress } from '../../places/addresses/own-address.js';

/**
 * A parcel's situs as one text: the street line in capitals, single spaces; undefined when the roll gives none.
 * Comparable only within one parcel.
 */
export function situsOf(address: Maybe<string>): string | undefined {
  const text = valueOf(address);
  if (text === undefined || judgeOwnAddress(address) !== 'usable') return undefined;
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
