import type { AuctionReader } from './auctions/auction-reader.js';
import type { FindMatches } from './deals/compose-deals.js';
import { matchCountyRecords } from './matches/match-county-records.js';
import type { PropertyMatches } from './matches/property-matches.js';
import { placeOf, type LocatedRecord, type Placed } from './matches/property-place.js';
import type { FeedLines } from './open-feeds.js';
import type { SignalReader } from './signals/signal-reader.js';

export interface MatchPorts {
  readonly lines: Pick<FeedLines, 'signals' | 'auctions'>;
  readonly signals: Pick<SignalReader, 'readByIds'>;
  readonly auctions: Pick<AuctionReader, 'readByIds'>;
}

/** Finds the county records that are of some properties: candidates among what is published, by place; then by the rules. */
export function createFindMatches({ lines, signals, auctions }: MatchPorts): FindMatches {
  return async (places) => {
    const keys = [...new Set([...places.values()].flatMap((place) => place.keys))];
    const findSignals = indexByKey(await signals.readByIds(await lines.signals.findByPlaces(keys)));
    const findAuctions = indexByKey(await auctions.readByIds(await lines.auctions.findByPlaces(keys)));
    const found = new Map<string, PropertyMatches>();
    for (const [id, place] of places) {
      const near = { signals: findSignals(place.keys), auctions: findAuctions(place.keys) };
      if (near.signals.length + near.auctions.length > 0) found.set(id, matchCountyRecords(place, near));
    }
    return found;
  };
}

/** Gives the records that share one of some keys, each once. */
function indexByKey<Record extends LocatedRecord>(
  records: readonly Record[],
): (keys: readonly string[]) => readonly Placed<Record>[] {
  const index = new Map<string, Placed<Record>[]>();
  for (const record of records) {
    const placed = { record, place: placeOf(record) };
    for (const key of placed.place.keys) {
      const others = index.get(key);
      if (others === undefined) index.set(key, [placed]);
      else others.push(placed);
    }
  }
  return (keys) => [...new Set(keys.flatMap((key) => index.get(key) ?? []))];
}
