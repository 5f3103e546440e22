import { Decimal } from 'decimal.js';
import { absent, isKnown, known } from '../absence.js';
import { groupRows } from '../db/sql/group-rows.js';
import { findCountyOfPlace } from '../places/metros/zip-counties.js';
import { leaveOutFields } from '../policy/leave-out-fields.js';
import type { Listing, ObservedListing, ObservedPrice, SourcePrices, SourceWord } from './listing.js';

/** A listing as stored: the row of the source that counts. */
export interface ListingRow {
  readonly id: string;
  readonly first_seen_at: Date;
  readonly aliases: readonly string[];
  readonly former_ids: readonly string[];
  readonly source_name: string;
  readonly identity: string;
  readonly source_first_seen_at: Date;
  readonly period_from: Date;
  readonly content: ObservedListing;
  readonly address_parsed: boolean;
  readonly county_fips: string | null;
  readonly last_seen_at: Date;
  readonly relisted: boolean;
  readonly licence_class: string;
  readonly undisplayed_fields: readonly string[];
}

/** A price, how long it was in force, and the offer that it is of. */
export interface PriceRow {
  readonly source_name: string;
  readonly period_from: Date;
  readonly observed_at: Date;
  readonly confirmed_at: Date;
  readonly price: string;
}

/**
 * Assembles a listing without the fields that licences do not show: the row of the source that speaks, the rows of the
 * others, and the prices of all, oldest first.
 */
export function rowToListing(row: ListingRow, others: readonly ListingRow[], prices: readonly PriceRow[]): Listing {
  const { undisplayed_fields: undisplayed } = row;
  const bySource = groupRows(prices, ({ source_name: name }) => name);
  const priceHistory = [row, ...others].flatMap((each) => toSourcePrices(each, bySource.get(each.source_name) ?? []));
  const otherWords = others.map(toWord).sort((one, other) => (one.sourceName < other.sourceName ? -1 : 1));
  return {
    id: row.id,
    aliases: row.aliases,
    formerIds: row.former_ids,
    sourceName: row.source_name,
    sourceFirstSeenAt: row.source_first_seen_at,
    otherWords,
    sourcesDisagree: otherWords.length > 0 && disagree([toWord(row), ...otherWords]),
    countyFips: countyOf(row),
    addressParsed: row.address_parsed && !undisplayed.includes('address'),
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    relisted: row.relisted,
    prices: presentPrices(row, bySource.get(row.source_name) ?? []),
    priceHistory,
    demonstration: row.licence_class === 'demonstration',
    // After the few: V8 is slow when it adds a few members to a copy of many.
    ...leaveOutFields(row.content, undisplayed),
  };
}

function toWord(row: ListingRow): SourceWord {
  const { listPrice, units, capRate, noi } = leaveOutFields(row.content, row.undisplayed_fields);
  const { source_name: sourceName, source_first_seen_at: firstSeenAt, last_seen_at: lastSeenAt } = row;
  return { sourceName, firstSeenAt, lastSeenAt, listPrice, units, capRate, noi };
}

/** Of the lowest price. Source: docs/decisions/addresses.md. */
const priceTolerance = '1.03';

function disagree(words: readonly SourceWord[]): boolean {
  const units = words.flatMap(({ units }) => (isKnown(units) ? units.value : []));
  const prices = words.flatMap(({ listPrice }) => (isKnown(listPrice) ? new Decimal(listPrice.value) : []));
  return (
    new Set(units).size > 1 ||
    (prices.length > 1 && Decimal.max(...prices).gt(Decimal.min(...prices).times(priceTolerance)))
  );
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

function toSourcePrices(row: ListingRow, prices: readonly PriceRow[]): SourcePrices[] {
  if (prices.length === 0 || row.undisplayed_fields.includes('listPrice')) return [];
  const offers = groupRows(prices, ({ period_from: from }) => String(from.getTime()));
  const present = String(row.period_from.getTime());
  return [
    {
      sourceName: row.source_name,
      offers: [...offers].map(([from, each]) => observedPrices(each, from === present ? row : undefined)),
    },
  ];
}

function presentPrices(row: ListingRow, prices: readonly PriceRow[]): ObservedPrice[] {
  if (row.undisplayed_fields.includes('listPrice')) return [];
  const present = prices.filter(({ period_from: from }) => from.getTime() === row.period_from.getTime());
  return observedPrices(present, row);
}

/** A price still stated by the present row was seen whenever the listing was. */
function observedPrices(prices: readonly PriceRow[], row: ListingRow | undefined): ObservedPrice[] {
  const changes = prices.map(({ observed_at: observedAt, price }) => ({ observedAt, price }));
  const last = prices.at(-1);
  if (last === undefined) return changes;
  const isStated = row !== undefined && isKnown(row.content.listPrice) && row.last_seen_at > last.confirmed_at;
  const confirmedAt = isStated ? row.last_seen_at : last.confirmed_at;
  return confirmedAt > last.observed_at ? [...changes, { observedAt: confirmedAt, price: last.price }] : changes;
}
