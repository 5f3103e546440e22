import type { Auction, Deal, Signal } from '../../generated/types.gen.js';

/** Records of all feeds as they are published now. */
export interface PublishedRecords {
  readonly deals: readonly Deal[];
  readonly signals: readonly Signal[];
  readonly auctions: readonly Auction[];
  /** The versions that they are of. */
  readonly versions: { readonly deals: number; readonly signals: number; readonly auctions: number };
}
