import { isKnown, valueOf, type Maybe } from '../../absence.js';
import { cleanText } from './parse/clean-text.js';
import { readTable } from '../../project-file.js';
import { isEvidence } from './match-types.js';
import { matchAddresses } from './match.js';
import { normalizeAddress } from './normalize.js';
import { isNormalizedAddress, type AddressNotParsed, type NormalizedAddress } from './normalized-address.js';
import { venueWords } from './tables/words.js';

/**
 * Quality of a record's own street address. `usable`; `none`: the land has no number, or the address is a venue's;
 * `suppressed`: the source may not show it or chooses not to; `missing`: nothing, a mailbox, or the location of the
 * sale.
 */
export const ownAddresses = ['usable', 'missing', 'none', 'suppressed'] as const;
export type OwnAddress = (typeof ownAddresses)[number];

/** A house number and a name: recognizes most addresses without the whole normalizer. */
const plain = /^[1-9]\d{0,5} (?:[NSEW]{1,2} )?[A-Z0-9][A-Z0-9' -]*[A-Z]{2}/;
const suspicious = /\bBOX\b/;

/** Where a county's record says that its property is. */
export interface StatedPlace {
  /** FIPS code. */
  readonly countyFips: string;
  readonly address: Maybe<string>;
  readonly zip: Maybe<string>;
}

/**
 * Judges a record's own street address. A courthouse is a venue, house number 0 is no situs, a PO box only receives
 * mail. Source of the rule: docs/decisions/addresses.md.
 */
export function judgeOwnAddress(place: StatedPlace): OwnAddress {
  const { address } = place;
  if (!isKnown(address)) return judgeAbsence(address.absent);
  const text = cleanText(address.value.slice(0, 300));
  if (venues.some((venue) => isAtVenue(venue, text, place))) return 'none';
  if (plain.test(text) && !suspicious.test(text) && !venueWords.test(text)) return 'usable';
  const normalized = readStreet(text);
  if (isNormalizedAddress(normalized)) return 'usable';
  const hasNone = ['zero_house_number', 'no_house_number', 'no_street_name'].includes(normalized.notParsed);
  return hasNone && /[A-Z0-9]/.test(text) ? 'none' : 'missing';
}

/** Courthouses and sale rooms. */
const venues = readTable('src/places/data/venues.csv', {
  county_fips: /^\d{5}$/,
  number: /^\d+$/,
  street: /^[A-Za-z0-9 ]+$/,
  zip: /^\d{5}$/,
  source: /^[A-Za-z. ]+$/,
  page: /^[A-Za-z0-9.':-][A-Za-z0-9.':\- ]+$/,
}).map((venue) => ({ ...venue, address: readStreet(`${venue.number} ${venue.street}`, venue.zip) }));

function isAtVenue(venue: (typeof venues)[number], text: string, { countyFips, zip }: StatedPlace): boolean {
  const digits = /^\d+/.exec(text)?.[0];
  if (venue.county_fips !== countyFips || (digits !== undefined && digits !== venue.number)) return false;
  const stated = readStreet(text, valueOf(zip) ?? venue.zip);
  const match = matchAddresses(stated, venue.address, {
    candidates: [stated, venue.address].filter(isNormalizedAddress),
  });
  return match !== undefined && isEvidence(match);
}

/** Only the street is judged, so any city and state work. */
function readStreet(street: string, zip?: string): NormalizedAddress | AddressNotParsed {
  return normalizeAddress({ street, city: 'ANYTOWN', state: 'OH', zip });
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
