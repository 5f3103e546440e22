import { v5 } from 'uuid';
import { type Maybe, valueOf } from '../../absence.js';
import { cleanText } from '../../places/addresses/parse/clean-text.js';
import { normalizeAddress } from '../../places/addresses/normalize.js';
import { isNormalizedAddress } from '../../places/addresses/normalized-address.js';
import { parcelKey } from '../../places/addresses/parcel.js';
import type { ObservedAuction } from './auction.js';

/** Namespace of all auction ids. Never change it: that would change every published id. */
const namespace = '8e5b7c42-1a6d-4f39-b0c4-93d2e6a1f708';

/**
 * The id of a sale: a UUID (version 5) of its county and the first of these that is known. The sale date is not part of
 * it, so an adjourned sale keeps its id.
 * - Case number and parcel, or building without a parcel: one case may sell several properties.
 * - Parcel and street address.
 * - Whole address.
 * - The source's own key, which never matches another source.
 */
export function identifyAuction(sourceName: string, auction: ObservedAuction): { readonly id: string } {
  return { id: v5(`${auction.auctionType}:${auction.countyFips}:${whatOf(sourceName, auction)}`, namespace) };
}

function whatOf(sourceName: string, auction: ObservedAuction): string {
  const caseNumber = lettersAndDigits(auction.caseNumber);
  const parcel = parcelKey(auction.countyFips, valueOf(auction.parcelId) ?? '') ?? '';
  if (caseNumber !== '') return `case:${caseNumber}|${parcel || buildingOf(auction)}`;
  const address = cleanText(valueOf(auction.address) ?? '');
  if (parcel !== '') return `at:${parcel}|${address}`;
  if (address === '') return `source:${sourceName}:${auction.sourceKey}`;
  return `at:${address}|${cleanText(valueOf(auction.zip) ?? valueOf(auction.city) ?? '')}`;
}

/** Normalized, since sources write one case's address in several ways. Empty when none is stated. */
function buildingOf({ address, city, state, zip }: ObservedAuction): string {
  const street = valueOf(address);
  if (street === undefined) return '';
  const zipText = valueOf(zip);
  const place = { street, city: valueOf(city) ?? '', state, ...(zipText !== undefined && { zip: zipText }) };
  const normalized = normalizeAddress(place);
  return isNormalizedAddress(normalized) ? `${normalized.key}|${normalized.unit}` : cleanText(street);
}

/** Letters and digits only: sources write one case as `CV-24-123456` and `CV 24 123456`. */
function lettersAndDigits(text: Maybe<string>): string {
  return cleanText(valueOf(text) ?? '').replace(/[^A-Z0-9]/g, '');
}
