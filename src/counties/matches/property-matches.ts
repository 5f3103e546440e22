import type { AddressMatch } from '../../places/addresses/match-types.js';
import type { Auction } from '../auctions/auction.js';
import type { Signal } from '../signals/signal.js';

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
