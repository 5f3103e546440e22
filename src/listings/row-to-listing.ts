import { absent, isKnown, known } from '../absence.js';
import { findCountyOfPlace } from '../places/metros/core-zips.js';
import { leaveOutFields } from '../policy/leave-out-fields.js';
import type { Listing, ObservedListing, ObservedPrice, SourceWord } from './listing.js';

/** A listing as stored: the row of the source that counts. */
export interface ListingRow {
  readonly id: string;
  readonly first_seen_at: Date;
  readonly source_name: string;
  readonly content: ObservedListing;
  readonly address_parsed: boolean;
  readonly county_fips: string | null;
  readonly last_seen_at: Date;
  readonly relisted: boolean;
  readonly licence_class: string;
  readonly undisplayed_fields: readonly string[];
}

/** A price and how long it was in force. */
export interface PriceRow {
  readonly observed_at: Date;
  readonly confirmed_at: Date;
  readonly price: string;
}

/**
 * Assembles a listing without the fields that licences do not show: the row of the source that counts with its prices,
 * oldest first, and the rows of the others.
 */
export function rowToListing(row: ListingRow, others: readonly ListingRow[], prices: readonly PriceRow[]): Listing {
  const { undisplayed_fields: undisplayed } = row;
  return {
    id: row.id,
    sourceName: row.source_name,
    otherWords: others.map(toWord).sort((one, other) => (one.sourceName < other.sourceName ? -1 : 1)),
    countyFips: countyOf(row),
    addressParsed: row.address_parsed && !undisplayed.includes('address'),
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    relisted: row.relisted,
    prices: undisplayed.includes('listPrice') ? [] : observedPrices(row, prices),
    demonstration: row.licence_class === 'demonstration',
    // After the few: V8 is slow when it adds a few members to a copy of many.
    ...leaveOutFields(row.content, undisplayed),
  };
}

function toWord({ source_name: sourceName, content, undisplayed_fields: undisplayed }: ListingRow): SourceWord {
  const { listPrice, units, capRate, noi } = leaveOutFields(content, undisplayed);
  return { sourceName, listPrice, units, capRate, noi };
}

/** A county known only from the ZIP is not shown when the ZIP is not. */
function countyOf({ county_fips: found, content, undisplayed_fields: undisplayed }: ListingRow): Listing['countyFips'] {
  if (undisplayed.includes('county')) return absent('suppressed_by_policy');
  if (undisplayed.includes('zip')) {
    const stated = findCountyOfPlace(leaveOutFields(content, undisplayed));
    return stated === undefined ? absent('suppressed_by_policy') : known(stated);
  }
  if (found !== null) return known(found);
  return absent(isKnown(content.zip) || isKnown(content.county) ? 'not_collected' : 'insufficient_inputs');
}

/**
 * One entry per change plus the last confirmation, so a price seen once has one entry. A price still stated was seen
 * whenever the listing was.
 */
function observedPrices({ content, last_seen_at: seenAt }: ListingRow, prices: readonly PriceRow[]): ObservedPrice[] {
  const changes = prices.map(({ observed_at: observedAt, price }) => ({ observedAt, price }));
  const last = prices.at(-1);
  if (last === undefined) return changes;
  const isStated = isKnown(content.listPrice) && seenAt > last.confirmed_at;
  const confirmedAt = isStated ? seenAt : last.confirmed_at;
  return confirmedAt > last.observed_at ? [...changes, { observedAt: confirmedAt, price: last.price }] : changes;
}
