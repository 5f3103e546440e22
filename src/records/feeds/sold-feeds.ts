import type * as Wire from '../../../generated/types.gen.js';
import type { EventLog } from '../../feeds/events/event-log.js';
import type { Feed } from '../../feeds/feed.js';
import type { AuctionColumns, AuctionFilter, AuctionRank } from '../../feeds/query/auction-kind.js';
import type { DealColumns, DealFilter, DealRank } from '../../feeds/query/deal-kind.js';
import type { LeadColumns, LeadFilter, LeadRank } from '../../feeds/query/lead-kind.js';
import type { SignalColumns, SignalFilter, SignalRank } from '../../feeds/query/signal-kind.js';

/** Every feed that is sold, by its published name. */
export interface SoldFeeds {
  readonly deals: DealFeed;
  readonly signals: SignalFeed;
  readonly auctions: AuctionFeed;
  readonly leads: LeadFeed;
}

/** The events of the feeds whose changes are sold. */
export interface SoldEvents {
  readonly deals: EventLog<DealFilter>;
  readonly auctions: EventLog<AuctionFilter>;
}

/** A deal in each view. */
export interface DealViews {
  readonly full: Wire.Deal;
  readonly basic: Wire.BasicDeal;
  readonly compact: Wire.CompactDeal;
}

interface OneView<Record> {
  readonly full: Record;
}

/** The deals and the auctions are held in memory with their bodies; of the others the bodies stay in the database. */
export type DealFeed = Feed<DealRank, DealColumns, DealFilter, DealViews>;
export type SignalFeed = Feed<SignalRank, SignalColumns, SignalFilter, OneView<Wire.Signal>>;
export type AuctionFeed = Feed<AuctionRank, AuctionColumns, AuctionFilter, OneView<Wire.Auction>>;
export type LeadFeed = Feed<LeadRank, LeadColumns, LeadFilter, OneView<Wire.Lead>>;

export type DealSnapshot = ReturnType<DealFeed['current']>;
