import { absent, isKnown, type Maybe } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import type { ListingChange, ListingReader } from '../listings/listing-reader.js';
import { noMatches, type PropertyMatches } from '../matches/property-matches.js';
import { scoreListing } from '../scoring/score-listing.js';
import type { Licence } from '../sources/source.js';
import type { UnderwritingReader } from '../underwriting/underwriting-reader.js';
import type { Deal } from './deal.js';
import { distressOf } from './distress-of.js';
import { createMedianCaps } from './median-caps.js';

const dealsPerChunk = 10;

export interface ComposePorts {
  readonly listings: Pick<ListingReader, 'readActive' | 'readCapRates'>;
  readonly underwritings: Pick<UnderwritingReader, 'readUnderwritings'>;
  /** Licences by source name. */
  readonly readLicences: () => Promise<ReadonlyMap<string, Licence>>;
  /** The county records that are of some properties, by the listing's id; nothing for those without any. */
  readonly findMatches: FindMatches;
  readonly now: Date;
}

/** What became of a listing: its deal, or undefined where there is none to be offered. */
export interface DealChange {
  readonly id: string;
  readonly deal: Deal | undefined;
}

export type FindMatches = (listings: readonly Listing[]) => Promise<ReadonlyMap<string, PropertyMatches>>;

/**
 * Composes all deals that may be sold now: each active listing that is underwritten, scored as of `now`. A listing
 * without an underwriting is left out until it has one. Chunks are small: whoever takes them may let others run between.
 */
export async function* composeDeals(ports: ComposePorts): AsyncGenerator<readonly Deal[]> {
  const compose = await createCompose(ports);
  for await (const chunk of ports.listings.readActive()) {
    const deals = await compose(chunk);
    for (let start = 0; start < deals.length; start += dealsPerChunk) yield deals.slice(start, start + dealsPerChunk);
  }
}

/** What became of some listings: the deal of each as `composeDeals` would give it, or none. */
export async function* composeChanges(
  ports: ComposePorts,
  changes: AsyncIterable<readonly ListingChange[]>,
): AsyncGenerator<readonly DealChange[]> {
  const compose = await createCompose(ports);
  for await (const chunk of changes) {
    const deals = await compose(chunk.flatMap(({ listing }) => listing ?? []));
    const byId = new Map(deals.map((deal) => [deal.id, deal]));
    yield chunk.map(({ id }) => ({ id, deal: byId.get(id) }));
  }
}

async function createCompose(ports: ComposePorts): Promise<(listings: readonly Listing[]) => Promise<readonly Deal[]>> {
  const licences = await ports.readLicences();
  const medianOf = createMedianCaps(await ports.listings.readCapRates());
  return async (listings) => {
    const underwritings = await ports.underwritings.readUnderwritings(listings.map((listing) => listing.id));
    const matchesById = await ports.findMatches(listings);
    return listings.flatMap((listing): readonly Deal[] => {
      const underwriting = underwritings.get(listing.id)?.underwriting;
      const licence = licences.get(listing.sourceName);
      if (underwriting === undefined || licence === undefined) return [];
      const metroMedianCapPct: Maybe<string> = isKnown(listing.countyFips)
        ? medianOf(listing.countyFips.value)
        : absent('insufficient_inputs');
      const matches = matchesById.get(listing.id) ?? noMatches;
      const distress = distressOf(matches, ports.now);
      const score = scoreListing({ listing, underwriting, distress, metroMedianCapPct, now: ports.now });
      return [{ id: listing.id, listing, underwriting, matches, distress, score, scoredAt: ports.now, licence }];
    });
  };
}
