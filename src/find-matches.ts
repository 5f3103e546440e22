import type { AuctionReader } from './auctions/auction-reader.js';
import type { FindMatches } from './deals/compose-deals.js';
import { matchCountyRecords } from './matches/match-county-records.js';
import type { PropertyMatches } from './matches/property-matches.js';
import { placeOf, type PropertyPlace } from './matches/property-place.js';
import type { FeedLines } from './open-feeds.js';
import type { SignalReader } from './signals/signal-reader.js';

export interface MatchPorts {
  readonly lines: Pick<FeedLines, 'signals' | 'auctions'>;
  readonly signals: Pick<SignalReader, 'readByIds'>;
  readonly auctions: Pick<AuctionReader, 'readByIds'>;
}

/** Finds the county records that are of some properties: candidates among what is published, by place; then by the rules. */
export function createFindMatches({ lines, signals, auctions }: MatchPorts): FindMatches {
  return async (listings) => {
    const places = listings.map((listing): readonly [string, PropertyPlace] => [listing.id, placeOf(listing)]);
    const keys = [...new Set(places.flatMap(([, place]) => place.keys))];
    const candidates = {
      signals: await signals.readByIds(await lines.signals.findByPlaces(keys)),
      auctions: await auctions.readByIds(await lines.auctions.findByPlaces(keys)),
    };
    const byKey = indexByKey([...candidates.signals, ...candidates.auctions]);
    const found = new Map<string, PropertyMatches>();
    for (const [id, place] of places) {
      const near = new Set(place.keys.flatMap((key) => byKey.get(key) ?? []));
      if (near.size === 0) continue;
      found.set(
        id,
        matchCountyRecords(place, {
          signals: candidates.signals.filter((signal) => near.has(signal.id)),
          auctions: candidates.auctions.filter((auction) => near.has(auction.id)),
        }),
      );
    }
    return found;
  };
}

function indexByKey(records: readonly (Parameters<typeof placeOf>[0] & { readonly id: string })[]) {
  const index = new Map<string, string[]>();
  for (const record of records) {
    for (const key of placeOf(record).keys) {
      const ids = index.get(key);
      if (ids === undefined) index.set(key, [record.id]);
      else ids.push(record.id);
    }
  }
  return index;
}
