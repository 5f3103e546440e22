import type { Auction } from '../../../generated/types.gen.js';
import type { AuctionColumns, AuctionFilter, AuctionRank } from '../../feeds/query/auction-kind.js';
import type { Feed } from '../../feeds/feed.js';
import type { PublishedRecord } from '../../feeds/store/published-record.js';
import type { Snapshot } from '../../feeds/query/snapshot.js';

/** An auction in its only view. */
export interface AuctionViews {
  readonly full: Auction;
}

export type PublishedAuction = PublishedRecord<AuctionColumns, AuctionViews>;
export type AuctionSnapshot = Snapshot<AuctionRank, AuctionColumns, AuctionFilter>;

/** The auctions feed, held in memory with its bodies. */
export type AuctionFeed = Feed<AuctionRank, AuctionColumns, AuctionFilter, AuctionViews>;
