import { absent, isKnown, type Maybe } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import type { ListingReader } from '../listings/listing-reader.js';
import { noMatches, type PropertyMatches } from '../matches/property-matches.js';
import { scoreListing } from '../scoring/score-listing.js';
import type { Licence } from '../sources/source.js';
import type { UnderwritingReader } from '../underwriting/underwriting-reader.js';
import type { Deal } from './deal.js';
import { distressOf } from './distress-of.js';
import { createMedianCaps } from './median-caps.js';

const dealsPerChunk = 10;

export interface ComposePorts {
  readonly listings: ListingReader;
  readonly underwritings: UnderwritingReader;
  /** Licences by source name. */
  readonly readLicences: () => Promise<ReadonlyMap<string, Licence>>;
  /** The county records that are of some properties, by the listing's id; nothing for those without any. */
  readonly findMatches: FindMatches;
  readonly now: Date;
}

export type FindMatches = (listings: readonly Listing[]) => Promise<ReadonlyMap<string, PropertyMatches>>;

/**
 * Composes all deals that may be sold now: each active listing that is underwritten, scored as of `now`. A listing
 * without an underwriting is left out until it has one. Chunks are small: whoever takes them may let others run between.
 */
export async function* composeDeals(ports: ComposePorts): AsyncGenerator<readonly Deal[]> {
  const licences = await ports.readLicences();
  const medians = createMedianCaps();
  for await (const chunk of ports.listings.readActive()) chunk.forEach(medians.add);
  for await (const chunk of ports.listings.readActive()) {
    const underwritings = await ports.underwritings.readUnderwritings(chunk.map((listing) => listing.id));
    const matchesById = await ports.findMatches(chunk);
    const compose = (listing: Listing): readonly Deal[] => {
      const underwriting = underwritings.get(listing.id)?.underwriting;
      const licence = licences.get(listing.sourceName);
      if (underwriting === undefined || licence === undefined) return [];
      const metroMedianCapPct: Maybe<string> = isKnown(listing.countyFips)
        ? medians.of(listing.countyFips.value)
        : absent('insufficient_inputs');
      const matches = matchesById.get(listing.id) ?? noMatches;
      const distress = distressOf(matches, ports.now);
      const score = scoreListing({ listing, underwriting, distress, metroMedianCapPct, now: ports.now });
      return [{ id: listing.id, listing, underwriting, matches, distress, score, scoredAt: ports.now, licence }];
    };
    for (let start = 0; start < chunk.length; start += dealsPerChunk)
      yield chunk.slice(start, start + dealsPerChunk).flatMap(compose);
  }
}
