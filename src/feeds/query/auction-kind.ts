import { bitmapWhere } from './bitmap.js';
import type { FeedIndex, FeedKind } from './feed-kind.js';
import { createCountyMatch } from './place-match.js';

/** A position in the auctions feed's order. */
export interface AuctionRank {
  readonly id: string;
  /** YYYY-MM-DD, in the county's own calendar. */
  readonly saleDate: string;
}

/** What the feed reads of an auction. */
export interface AuctionColumns extends AuctionRank {
  /** County label, folded. */
  readonly county: string;
  /** IANA time zone of the county. */
  readonly timeZone: string;
  readonly appraisedCents?: number | undefined;
  /** True while the sale may still take place on its day: scheduled, adjourned or of unknown status. */
  readonly isOpen: boolean;
  /** Milliseconds since 1970. */
  readonly lastSeenMs: number;
}

/** A filter over the auctions feed, combined with AND. */
export interface AuctionFilter {
  /** Part of the county label. */
  readonly county?: string;
  /** Inclusive. */
  readonly fromDate?: string;
  /** Inclusive. */
  readonly toDate?: string;
  readonly minAppraisedCents?: number;
  /** Only sales to come: those that are open and on or after their time zone's today. Absent: past ones as well. */
  readonly todays?: Readonly<Record<string, string>>;
}

/** The auctions feed: sale_date asc, id asc. Source: docs/decisions/contract.md. */
export const auctionKind: FeedKind<AuctionRank, AuctionColumns, AuctionFilter> = {
  name: 'auctions',
  order: [{ by: 'saleDate' }],
  readColumns: (json) => json as unknown as AuctionColumns,
  createIndex(auctions) {
    const at = (position: number): AuctionColumns => auctions.at(position) as AuctionColumns;
    const places = new Set(Array.from(auctions, ({ county }) => county));
    const index: FeedIndex<AuctionFilter> = {
      places,
      match({ county, ...filter }) {
        const counties = county === undefined ? places : new Set([...places].filter(createCountyMatch(county)));
        return bitmapWhere(
          auctions.length,
          (position) => counties.has(at(position).county) && isWanted(at(position), filter),
        );
      },
    };
    return Promise.resolve(index);
  },
};

/** True for a sale to come, as the specification counts upcoming sales. */
export function isUpcoming(auction: AuctionColumns, todays: Readonly<Record<string, string>>): boolean {
  return auction.isOpen && auction.saleDate >= (todays[auction.timeZone] ?? '9999-12-31');
}

/** Sales are few enough to be looked at one by one. */
function isWanted(auction: AuctionColumns, filter: Omit<AuctionFilter, 'county'>): boolean {
  const { fromDate, toDate, minAppraisedCents, todays } = filter;
  if (todays !== undefined && !isUpcoming(auction, todays)) return false;
  if (fromDate !== undefined && auction.saleDate < fromDate) return false;
  if (toDate !== undefined && auction.saleDate > toDate) return false;
  return minAppraisedCents === undefined || (auction.appraisedCents ?? -1) >= minAppraisedCents;
}
