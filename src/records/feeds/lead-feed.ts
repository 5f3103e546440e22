import type { Lead } from '../../../generated/types.gen.js';
import type { Feed } from '../../feeds/feed.js';
import type { LeadColumns, LeadFilter, LeadRank } from '../../feeds/query/lead-kind.js';

/** A lead in its only view. */
export interface LeadViews {
  readonly full: Lead;
}

/** The leads feed: filter columns in memory, bodies in the database. */
export type LeadFeed = Feed<LeadRank, LeadColumns, LeadFilter, LeadViews>;
