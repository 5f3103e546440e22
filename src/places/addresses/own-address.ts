import { isKnown, type Maybe } from '../../absence.js';
import { cleanText } from './parse/clean-text.js';
import { normalizeAddress } from './normalize.js';
import { isNormalizedAddress } from './normalized-address.js';
import { venueWords } from './tables/venue-words.js';

/**
 * What a record's own street address is worth: `usable`; `none`: the record itself says that the land has no number;
 * `withheld`: the source may not or does not want to show it; `missing`: nothing, a mail box, or the place of the sale.
 */
export const ownAddresses = ['usable', 'missing', 'none', 'withheld'] as const;
export type OwnAddress = (typeof ownAddresses)[number];

/** A house number and a name: by far the most addresses, told without the whole normaliser. */
const plain = /^[1-9]\d{0,5} (?:[NSEW]{1,2} )?[A-Z0-9][A-Z0-9' -]*[A-Z]{2}/;
const suspicious = /\bBOX\b/;

/**
 * Judges a record's own street address. Courthouse addresses are venues, house number 0 is no situs, a PO box receives
 * mail. Source of the rule: docs/decisions/addresses.md.
 */
export function judgeOwnAddress(address: Maybe<string>): OwnAddress {
  if (!isKnown(address)) return judgeAbsence(address.absent);
  const text = cleanText(address.value.slice(0, 300));
  if (plain.test(text) && !suspicious.test(text) && !venueWords.test(text)) return 'usable';
  // The street alone is judged, so any place will do.
  const normalized = normalizeAddress({ street: text, city: 'ANYTOWN', state: 'OH' });
  if (isNormalizedAddress(normalized)) return 'usable';
  const hasNone = ['zero_house_number', 'no_house_number', 'no_street_name'].includes(normalized.notParsed);
  return hasNone && /[A-Z0-9]/.test(text) ? 'none' : 'missing';
}

function judgeAbsence(reason: string): OwnAddress {
  if (reason === 'no_situs_address') return 'none';
  return reason === 'suppressed_by_owner' || reason === 'suppressed_by_policy' ? 'withheld' : 'missing';
}
