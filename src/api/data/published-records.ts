import type { Auction, Deal, Signal } from '../../../generated/types.gen.js';
import type { PropertyMatches } from '../../counties/matches/match-county-records.js';
import type { FeedPublisher } from '../../feeds/feed-publisher.js';
import type { PlacedTexts, ReadPublished } from '../../feeds/store/place-reader.js';
import type { ReadAt, ReadVersions } from './find-at-address.js';

type Publisher<Record> = Pick<
  FeedPublisher<never, never, never, never, { readonly full: Record }>,
  'filterShown' | 'filterPublished'
> & { readonly feed: { readonly name: string } };

/** The feeds of records that have a place. */
export interface PlacedFeeds {
  readonly deals: Publisher<Deal>;
  readonly signals: Publisher<Signal>;
  readonly auctions: Publisher<Auction>;
}

const nothing: PlacedTexts = { version: 0, takedownNumber: 0, found: [] };

export function createReadAt({ deals, signals, auctions }: PlacedFeeds, readPublished: ReadPublished): ReadAt {
  return async (keys) => {
    const names = [deals, signals, auctions].map(({ feed }) => feed.name);
    const [ofDeals = nothing, ofSignals = nothing, ofAuctions = nothing] = await readPublished(names, keys);
    return {
      deals: deals.filterShown(ofDeals),
      signals: signals.filterShown(ofSignals),
      auctions: auctions.filterShown(ofAuctions),
      versions: { deals: ofDeals.version, signals: ofSignals.version, auctions: ofAuctions.version },
    };
  };
}

/** Returns the county records of a deal that may be shown now: not those taken down or gone since its publication. */
type FilterShown = (matches: PropertyMatches) => Promise<{
  readonly shown: PropertyMatches;
  /** The county publications used. */
  readonly versions: Omit<ReadVersions, 'deals'>;
}>;

export function createFilterShown({ signals, auctions }: Omit<PlacedFeeds, 'deals'>): FilterShown {
  return async (matches) => {
    const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
    const ofSignals = await signals.filterPublished(idsOf(matches.signals));
    const ofAuctions = await auctions.filterPublished(idsOf(matches.auctions));
    const shown = {
      signals: matches.signals.filter(({ id }) => ofSignals.published.has(id)),
      auctions: matches.auctions.filter(({ id }) => ofAuctions.published.has(id)),
    };
    return { shown, versions: { signals: ofSignals.version, auctions: ofAuctions.version } };
  };
}
