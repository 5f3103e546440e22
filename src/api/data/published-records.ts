import type { Auction, Deal, Signal } from '../../../generated/types.gen.js';
import type { PlacedRecord } from '../../feeds/feed-publisher.js';

/** Records of all feeds as one version of each has them. */
export interface PublishedRecords {
  readonly deals: readonly PlacedRecord<Deal>[];
  readonly signals: readonly PlacedRecord<Signal>[];
  readonly auctions: readonly PlacedRecord<Auction>[];
  readonly versions: ReadVersions;
}

/** The version of each feed that was read. */
export interface ReadVersions {
  readonly deals: number;
  readonly signals: number;
  readonly auctions: number;
}

/** What is published at some place keys, and what is of the same parcel as any of that; all as of one moment. */
export type ReadAt = (keys: readonly string[]) => Promise<PublishedRecords>;
