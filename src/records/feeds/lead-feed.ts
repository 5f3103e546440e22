import type { Lead } from '../../../generated/types.gen.js';
import type { Feed } from '../../feeds/feed.js';
import type { LeadColumns, LeadFilter, LeadRank } from '../../feeds/query/lead-kind.js';

/** A lead in its one width. */
export interface LeadViews {
  readonly full: Lead;
}

/** The leads feed: what it filters by is held in memory, its bytes stay in the database. */
export type LeadFeed = Feed<LeadRank, LeadColumns, LeadFilter, LeadViews>;
