import { type FeedKind } from './feed-kind.js';
import {
  atLeast,
  atMost,
  createColumnIndexes,
  createMatch,
  createTests,
  isFrom,
  isUntil,
  oneOf,
  passing,
  scanned,
  type FilterRules,
} from './filter-rules.js';
import type { SortRules } from './sort-rule.js';
import { createSortedPositions, dayOf } from './sorted-positions.js';
import { placeColumns, placeRules, type PlaceColumns, type PlaceFilter } from './place-rules.js';
import type { Origin } from '../takedowns.js';

/** A position in the auctions feed's order. */
export interface AuctionRank {
  readonly id: string;
  /** YYYY-MM-DD, in the county's own calendar. */
  readonly saleDate: string;
}

/** What the feed reads of an auction. */
export interface AuctionColumns extends AuctionRank, PlaceColumns, Omit<Origin, 'matched'> {
  /** IANA time zone of the county. */
  readonly timeZone: string;
  readonly appraisedCents?: number | undefined;
  /** True while the sale may still take place on its day: scheduled, adjourned or of unknown status. */
  readonly isOpen: boolean;
  readonly saleStatus: string;
  readonly openingBidCents?: number | undefined;
  /** Milliseconds since 1970. */
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

/** A filter over the auctions feed, combined with AND. */
export interface AuctionFilter extends PlaceFilter {
  /** Inclusive. */
  readonly fromDate?: string;
  /** Inclusive. */
  readonly toDate?: string;
  readonly minAppraisedCents?: number;
  readonly saleStatus?: readonly string[];
  readonly maxOpeningBidCents?: number;
  /** Milliseconds since 1970. */
  readonly firstSeenSinceMs?: number;
  /** Only sales to come: those that are open and on or after their time zone's today. Absent: past ones as well. */
  readonly todays?: Readonly<Record<string, string>>;
}

const rules: FilterRules<AuctionColumns, AuctionFilter> = {
  ...placeRules,
  fromDate: passing('saleDate', isFrom),
  toDate: passing('saleDate', isUntil),
  minAppraisedCents: atLeast('appraisedCents'),
  saleStatus: oneOf('saleStatus'),
  maxOpeningBidCents: atMost('openingBidCents'),
  firstSeenSinceMs: atLeast('firstSeenMs'),
  // Sales are few enough to be looked at one by one.
  todays: scanned(isUpcoming),
};

/** The orders of the auctions feed, as the contract names them. */
export const auctionSorts = {
  sale_date: { numberOf: ({ saleDate }) => dayOf(saleDate) },
  appraised: { descending: true, column: 'appraisedCents', numberOf: ({ appraisedCents }) => appraisedCents },
} satisfies SortRules<AuctionColumns>;

/** What a stored auction has beside its id, and of which kind each value is. */
export const auctionColumns = {
  saleDate: 'text',
  ...placeColumns,
  timeZone: 'text',
  appraisedCents: 'number',
  isOpen: 'flag',
  saleStatus: 'text',
  openingBidCents: 'number',
  firstSeenMs: 'number',
  lastSeenMs: 'number',
  sources: 'text',
} as const;

/** The auctions feed: sale_date asc, id asc. Source: docs/decisions/contract.md. */
export const auctionKind: FeedKind<AuctionRank, AuctionColumns, AuctionFilter> = {
  name: 'auctions',
  order: [{ by: 'saleDate' }],
  sorts: auctionSorts,
  columns: auctionColumns,
  readColumns: (json) => json as unknown as AuctionColumns,
  testsOf: (filter) => createTests(rules, filter),
  async createIndex(auctions, yieldTurn) {
    const indexes = createColumnIndexes(auctions, yieldTurn);
    const sorted = await createSortedPositions(auctionSorts, false, indexes);
    return { match: await createMatch(rules, indexes), sorts: sorted };
  },
};

/** True for a sale to come, as the specification counts upcoming sales. */
export function isUpcoming(auction: AuctionColumns, todays: Readonly<Record<string, string>>): boolean {
  return auction.isOpen && auction.saleDate >= (todays[auction.timeZone] ?? '9999-12-31');
}
