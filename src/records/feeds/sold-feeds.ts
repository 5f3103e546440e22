import type { AuctionFeed } from './auction-feed.js';
import type { DealFeed } from './deal-feed.js';
import type { LeadFeed } from './lead-feed.js';
import type { SignalFeed } from './signal-feed.js';

/** Every feed that is sold, by its published name. */
export interface SoldFeeds {
  readonly deals: DealFeed;
  readonly signals: SignalFeed;
  readonly auctions: AuctionFeed;
  readonly leads: LeadFeed;
}
