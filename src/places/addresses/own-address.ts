import { isKnown, type Maybe } from '../../absence.js';
import { cleanText } from './parse/clean-text.js';
import { normalizeAddress } from './normalize.js';
import { isNormalizedAddress } from './normalized-address.js';
import { venueWords } from './tables/words.js';

/**
 * Quality of a record's own street address. `usable`; `none`: the record says that the land has no number;
 * `suppressed`: the source may not show it or chooses not to; `missing`: nothing, a mailbox, or the location of the
 * sale.
 */
export const ownAddresses = ['usable', 'missing', 'none', 'suppressed'] as const;
export type OwnAddress = (typeof ownAddresses)[number];

/** A house number and a name: recognizes most addresses without the whole normalizer. */
const plain = /^[1-9]\d{0,5} (?:[NSEW]{1,2} )?[A-Z0-9][A-Z0-9' -]*[A-Z]{2}/;
const suspicious = /\bBOX\b/;

/**
 * Judges a record's own street address. A courthouse is a venue, house number 0 is no situs, a PO box only receives
 * mail. Source of the rule: docs/decisions/addresses.md.
 */
export function judgeOwnAddress(address: Maybe<string>): OwnAddress {
  if (!isKnown(address)) return judgeAbsence(address.absent);
  const text = cleanText(address.value.slice(0, 300));
  if (plain.test(text) && !suspicious.test(text) && !venueWords.test(text)) return 'usable';
  // Only the street is judged, so any city and state work.
  const normalized = normalizeAddress({ street: text, city: 'ANYTOWN', state: 'OH' });
  if (isNormalizedAddress(normalized)) return 'usable';
  const hasNone = ['zero_house_number', 'no_house_number', 'no_street_name'].includes(normalized.notParsed);
  return hasNone && /[A-Z0-9]/.test(text) ? 'none' : 'missing';
}

function judgeAbsence(reason: string): OwnAddress {
  if (reason === 'no_situs_address') return 'none';
  return reason === 'suppressed_by_owner' || reason === 'suppressed_by_policy' ? 'suppressed' : 'missing';
}

/** The state of a public record's street address. Source: docs/decisions/addresses.md. */
export const addressStatuses = [
  'complete',
  'pending_parcel_lookup',
  'parcel_lookup_failed',
  'no_situs_address',
  'ambiguous',
  'suppressed',
] as const;
export type AddressStatus = (typeof addressStatuses)[number];
