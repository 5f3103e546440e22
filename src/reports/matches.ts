import type { Maybe } from '../absence.js';
import type { AddressMatch } from '../addresses/match-types.js';
import type { DecimalText } from '../decimal-text.js';

/** A county record that is matched with a property well enough to count as evidence. Names no person. */
interface MatchedRecord extends AddressMatch {
  /** Of the record in its own feed. */
  readonly id: string;
  /** County and state, such as "Cuyahoga, OH". */
  readonly county: string;
  readonly lastSeenAt: Date;
  readonly sourceUrl: string;
}

export interface MatchedSignal extends MatchedRecord {
  readonly signalType: 'tax_delinquent';
  readonly parcelId: string;
  /** What is owed in all, USD. */
  readonly amount: DecimalText;
  readonly yearsOwed: Maybe<number>;
}

export interface MatchedAuction extends MatchedRecord {
  readonly auctionType: 'sheriff_sale';
  /** YYYY-MM-DD in the county's own calendar. */
  readonly saleDate: string;
  readonly saleStatus: 'scheduled' | 'adjourned' | 'withdrawn' | 'cancelled' | 'sold' | 'no_bid' | 'unknown';
  readonly openingBid: Maybe<DecimalText>;
  readonly appraisedValue: Maybe<DecimalText>;
  readonly caseNumber: Maybe<string>;
}

/** Signals with the largest amount first, auctions with the next sale first. */
export interface DealMatches {
  readonly signals: readonly MatchedSignal[];
  readonly auctions: readonly MatchedAuction[];
}

/** Reads what is matched with a deal and may be shown now. */
export type ReadMatches = (dealId: string) => Promise<DealMatches>;

/** The port's answer while no county records are matched with deals. */
export const readNoMatches: ReadMatches = async () => ({ signals: [], auctions: [] });
