import { Decimal } from 'decimal.js';
import { matchAddresses } from '../../places/addresses/match.js';
import { isEvidence, type AddressMatch } from '../../places/addresses/match-types.js';
import { isNormalizedAddress } from '../../places/addresses/normalized-address.js';
import type { Auction } from '../auctions/auction.js';
import type { Signal } from '../signals/signal.js';
import type { Placed, PropertyPlace } from './property-place.js';

/** County records that share a key with one or more properties. */
export interface Candidates {
  readonly signals: readonly Placed<Signal>[];
  readonly auctions: readonly Placed<Auction>[];
}

/**
 * The county records of a property by the rules of `matchAddresses`, as far as they count as evidence. A match that
 * needs the only candidate at its ZIP and number also considers `others`, the other properties there. Pure. Source of
 * the rules: docs/decisions/addresses.md.
 */
export function matchCountyRecords(
  place: PropertyPlace,
  { signals, auctions }: Candidates,
  others: readonly PropertyPlace[] = [],
): PropertyMatches {
  const placed = [...signals, ...auctions];
  const addresses = [place, ...others, ...placed.map((each) => each.place)].map(({ address }) => address);
  const candidates = addresses.filter(isNormalizedAddress);
  const matches = new Map<string, AddressMatch>();
  for (const { record, place: other } of placed) {
    const match = matchAddresses(place.address, other.address, { parcels: [place.parcel, other.parcel], candidates });
    if (match !== undefined && isEvidence(match)) matches.set(record.id, match);
  }
  return {
    signals: signals.flatMap(({ record }) => toMatchedSignal(record, matches.get(record.id))).sort(byAmount),
    auctions: auctions.flatMap(({ record }) => toMatchedAuction(record, matches.get(record.id))).sort(bySaleDate),
  };
}

/** True when a match counts only while no other property there is possible. */
export function needsUniqueness({ signals, auctions }: PropertyMatches): boolean {
  return [...signals, ...auctions].some(
    ({ matchType }) => matchType === 'suffix_missing' || matchType === 'street_alias',
  );
}

function toMatchedSignal(signal: Signal, match: AddressMatch | undefined): MatchedSignal[] {
  if (match === undefined) return [];
  const { signalType, parcelId, amount, yearsOwed } = signal;
  return [{ ...toMatched(signal), signalType, parcelId, amount, yearsOwed, ...match }];
}

function toMatchedAuction(auction: Auction, match: AddressMatch | undefined): MatchedAuction[] {
  if (match === undefined) return [];
  const { auctionType, saleDate, saleStatus, openingBid, appraisedValue, caseNumber } = auction;
  const sale = { auctionType, saleDate, saleStatus, openingBid, appraisedValue, caseNumber };
  return [{ ...toMatched(auction), ...sale, ...match }];
}

function toMatched({ id, countyFips, state, lastSeenAt, sourceUrl, sourceNames }: Signal | Auction) {
  return { id, countyFips, state, lastSeenAt, sourceUrl, sourceNames };
}

function byAmount(one: MatchedSignal, other: MatchedSignal): number {
  return new Decimal(other.amount).comparedTo(one.amount) || compareIds(one, other);
}

function bySaleDate(one: MatchedAuction, other: MatchedAuction): number {
  if (one.saleDate !== other.saleDate) return one.saleDate < other.saleDate ? -1 : 1;
  return compareIds(one, other);
}

function compareIds(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

/** A county record matched with a property well enough to count as evidence. Names no person. */
interface MatchedRecord extends AddressMatch {
  /** The record's id in its own feed. */
  readonly id: string;
  readonly countyFips: string;
  readonly state: string;
  readonly lastSeenAt: Date;
  readonly sourceUrl: string;
  /** As the record has them. */
  readonly sourceNames: readonly string[];
}

export interface MatchedSignal
  extends MatchedRecord, Pick<Signal, 'signalType' | 'parcelId' | 'amount' | 'yearsOwed'> {}

export interface MatchedAuction
  extends
    MatchedRecord,
    Pick<Auction, 'auctionType' | 'saleDate' | 'saleStatus' | 'openingBid' | 'appraisedValue' | 'caseNumber'> {}

/** Signals by amount, largest first; auctions by sale date, next first. */
export interface PropertyMatches {
  readonly signals: readonly MatchedSignal[];
  readonly auctions: readonly MatchedAuction[];
}

export const noMatches: PropertyMatches = { signals: [], auctions: [] };
