import type { AuctionReader } from '../counties/auctions/auction-reader.js';
import type { FindMatches } from '../deals/read-deal-facts.js';
import type { ListingReader } from '../listings/listing-reader.js';
import { needsUniqueness, matchCountyRecords, type PropertyMatches } from '../counties/matches/match-county-records.js';
import { placeOf, type LocatedRecord, type Placed, type PropertyPlace } from '../counties/matches/property-place.js';
import { auctionKind } from '../feeds/query/auction-kind.js';
import { dealKind } from '../feeds/query/deal-kind.js';
import type { FindPublished } from '../feeds/store/place-reader.js';
import { signalKind } from '../feeds/query/signal-kind.js';
import type { SignalReader } from '../counties/signals/signal-reader.js';

export interface MatchPorts {
  readonly findPublished: FindPublished;
  readonly listings: Pick<ListingReader, 'readSome' | 'listAtHouseNumbers'>;
  readonly signals: Pick<SignalReader, 'readByIds'>;
  readonly auctions: Pick<AuctionReader, 'readByIds'>;
}

/**
 * Finds the county records of properties: candidates among the published records at their places, judged by the rules.
 * If a record matches a property only while no other fits, the other properties at the place are examined.
 */
export function createFindMatches({ findPublished, listings, signals, auctions }: MatchPorts): FindMatches {
  /** The places of all properties with a listing that may be offered at any of these place keys, published or not. */
  async function findProperties(keys: readonly string[], places: Iterable<PropertyPlace>): Promise<PropertyPlace[]> {
    const found = [...places].filter((place) => place.keys.some((key) => keys.includes(key)));
    const deals = (await findPublished([dealKind.name], keys)).get(dealKind.name) ?? [];
    const ids = new Set([...deals, ...(await listings.listAtHouseNumbers(keys))]);
    for await (const chunk of listings.readSome([...ids]))
      found.push(...chunk.flatMap(({ listing }) => (listing === undefined ? [] : placeOf(listing))));
    return found;
  }

  return async (places) => {
    const keys = [...new Set([...places.values()].flatMap((place) => place.keys))];
    const published = await findPublished([signalKind.name, auctionKind.name], keys);
    const findSignals = indexByKey(await signals.readByIds(published.get(signalKind.name) ?? []));
    const findAuctions = indexByKey(await auctions.readByIds(published.get(auctionKind.name) ?? []));
    const found = new Map<string, PropertyMatches>();
    for (const [id, place] of places) {
      const near = { signals: findSignals(place.keys), auctions: findAuctions(place.keys) };
      if (near.signals.length + near.auctions.length === 0) continue;
      let matches = matchCountyRecords(place, near);
      if (needsUniqueness(matches))
        matches = matchCountyRecords(place, near, await findProperties(place.keys, places.values()));
      found.set(id, matches);
    }
    return found;
  };
}

/** Returns the lookup of the records that share any of some keys, each once. */
function indexByKey<Item extends LocatedRecord>(
  records: readonly Item[],
): (keys: readonly string[]) => readonly Placed<Item>[] {
  const index = new Map<string, Placed<Item>[]>();
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
