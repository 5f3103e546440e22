import type { BasicDeal, Deal } from '../../../generated/types.gen.js';
import type { DealColumns, DealFilter, DealRank } from '../../feeds/query/deal-kind.js';
import type { Feed } from '../../feeds/feed.js';
import type { PublishedRecord } from '../../feeds/store/published-record.js';
import type { Snapshot } from '../../feeds/query/snapshot.js';

/** A deal in both views. */
export interface DealViews {
  readonly full: Deal;
  readonly basic: BasicDeal;
}

export type PublishedDeal = PublishedRecord<DealColumns, DealViews>;
export type DealSnapshot = Snapshot<DealRank, DealColumns, DealFilter>;

/** The deals feed, held in memory with its bodies. */
export type DealFeed = Feed<DealRank, DealColumns, DealFilter, DealViews>;
