import { valueOf, type Maybe } from '../../absence.js';
import { cleanText } from '../../places/addresses/parse/clean-text.js';
import { judgeOwnAddress } from '../../places/addresses/own-address.js';

/**
 * One text for one situs of a parcel: the street line in capitals, one space between words; undefined where the roll
 * gives none. Compared within one parcel only.
 */
export function situsOf(address: Maybe<string>): string | undefined {
  const text = valueOf(address);
  if (text === undefined || judgeOwnAddress(address) !== 'usable') return undefined;
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
