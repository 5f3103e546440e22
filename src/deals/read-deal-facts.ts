import { valueOf } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import type { ListingChange, ListingReader } from '../listings/listing-reader.js';
import type { PropertyMatches } from '../counties/matches/match-county-records.js';
import { placeOf, type PropertyPlace } from '../counties/matches/property-place.js';
import type { Licence } from '../sources/source.js';
import type { FiguresOf } from '../underwriting/underwriting-inputs.js';
import type { DealFacts } from './deal-facts.js';
import { createMedianCaps } from './median-caps.js';

export interface DealFactsPorts {
  readonly listings: Pick<ListingReader, 'readCapRates'>;
  readonly figuresOf: FiguresOf;
  /** Licences by source name. */
  readonly readLicences: () => Promise<ReadonlyMap<string, Licence>>;
  readonly findMatches: FindMatches;
  readonly now: Date;
}

/** Finds the county records of properties, by listing id. No entry for a property without matches. */
export type FindMatches = (places: ReadonlyMap<string, PropertyPlace>) => Promise<ReadonlyMap<string, PropertyMatches>>;

/** The facts of a chunk of deals, and the ids of all listings examined, including those that may not be offered. */
export interface ExaminedChunk {
  readonly ids: readonly string[];
  readonly facts: DealFacts;
}

/** Yields the facts of the deals of each chunk of listings, in the same chunks. */
export async function* readDealFacts(
  ports: DealFactsPorts,
  chunks: AsyncIterable<readonly ListingChange[]>,
): AsyncGenerator<ExaminedChunk> {
  const readFacts = await createReadFacts(ports);
  for await (const chunk of chunks) {
    const facts = await readFacts(chunk.flatMap(({ listing }) => listing ?? []));
    yield { ids: chunk.map(({ id }) => id), facts };
  }
}

async function createReadFacts({
  listings: reader,
  figuresOf,
  readLicences,
  findMatches,
  now,
}: DealFactsPorts): Promise<(listings: readonly Listing[]) => Promise<DealFacts>> {
  const licences = await readLicences();
  const medianOf = createMedianCaps(await reader.readCapRates());
  return async (listings) => {
    const places = new Map(listings.map((listing) => [listing.id, placeOf(listing)]));
    const counties = new Set(listings.flatMap(({ countyFips }) => valueOf(countyFips) ?? []));
    return {
      listings,
      places,
      figures: new Map(listings.map((listing) => [listing.id, figuresOf(listing)])),
      matches: await findMatches(places),
      licences,
      medianCaps: new Map([...counties].map((county) => [county, medianOf(county)])),
      now,
    };
  };
}
