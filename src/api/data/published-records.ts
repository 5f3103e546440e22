import type { Auction, Deal, Signal } from '../../../generated/types.gen.js';
import type { PlacedRecord } from '../../feeds/feed-publisher.js';

/** Records of all feeds, from one version of each. */
export interface PublishedRecords {
  readonly deals: readonly PlacedRecord<Deal>[];
  readonly signals: readonly PlacedRecord<Signal>[];
  readonly auctions: readonly PlacedRecord<Auction>[];
  readonly versions: ReadVersions;
}

/** The version of each feed. */
export interface ReadVersions {
  readonly deals: number;
  readonly signals: number;
  readonly auctions: number;
}

/** Reads the published records at some place keys and those on the same parcels, all as of one moment. */
export type ReadAt = (keys: readonly string[]) => Promise<PublishedRecords>;
