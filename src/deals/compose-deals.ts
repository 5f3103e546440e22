import { setImmediate as nextTurn } from 'node:timers/promises';
import { absent, isKnown, type Maybe } from '../absence.js';
import { readAhead } from '../db/read-ahead.js';
import type { Listing } from '../listings/listing.js';
import type { ListingChange, ListingReader } from '../listings/listing-reader.js';
import { noMatches, type PropertyMatches } from '../matches/property-matches.js';
import { placeOf, type PropertyPlace } from '../matches/property-place.js';
import { scoreListing } from '../scoring/score-listing.js';
import type { Licence } from '../sources/source.js';
import type { KeptUnderwriting, UnderwritingReader } from '../underwriting/underwriting-reader.js';
import type { Deal } from './deal.js';
import { distressOf } from './distress-of.js';
import { createMedianCaps } from './median-caps.js';

/** So many are composed in a few milliseconds. */
const dealsPerTurn = 10;

export interface ComposePorts {
  readonly listings: Pick<ListingReader, 'readActive' | 'readCapRates'>;
  readonly underwritings: Pick<UnderwritingReader, 'readUnderwritings'>;
  /** Licences by source name. */
  readonly readLicences: () => Promise<ReadonlyMap<string, Licence>>;
  readonly findMatches: FindMatches;
  readonly now: Date;
}

/** What became of a listing: its deal, or undefined where there is none to be offered. */
export interface DealChange {
  readonly id: string;
  readonly deal: Deal | undefined;
}

/** Finds the county records that are of some properties, by the listing's id; nothing for those without any. */
export type FindMatches = (places: ReadonlyMap<string, PropertyPlace>) => Promise<ReadonlyMap<string, PropertyMatches>>;

/**
 * Composes all deals that may be sold now: each active listing that is underwritten, scored as of `now`. A listing
 * without an underwriting is left out until it has one.
 */
export async function* composeDeals(ports: ComposePorts): AsyncGenerator<readonly Deal[]> {
  const compose = await createCompose(ports);
  for await (const facts of readAhead(readFacts(ports, ports.listings.readActive()))) {
    yield await compose(facts);
  }
}

/** What became of some listings: the deal of each as `composeDeals` would give it, or none. */
export async function* composeChanges(
  ports: ComposePorts,
  changes: AsyncIterable<readonly ListingChange[]>,
): AsyncGenerator<readonly DealChange[]> {
  const compose = await createCompose(ports);
  for await (const chunk of changes) {
    const listings = chunk.flatMap(({ listing }) => listing ?? []);
    const deals = await compose(await readFactsOf(ports, listings));
    const byId = new Map(deals.map((deal) => [deal.id, deal]));
    yield chunk.map(({ id }) => ({ id, deal: byId.get(id) }));
  }
}

/** Some listings with what is known of them beside. */
interface Facts {
  readonly listings: readonly Listing[];
  readonly places: ReadonlyMap<string, PropertyPlace>;
  readonly underwritings: ReadonlyMap<string, KeptUnderwriting>;
  readonly matches: ReadonlyMap<string, PropertyMatches>;
}

async function* readFacts(ports: ComposePorts, chunks: AsyncIterable<readonly Listing[]>): AsyncGenerator<Facts> {
  for await (const listings of chunks) yield await readFactsOf(ports, listings);
}

async function readFactsOf({ underwritings, findMatches }: ComposePorts, listings: readonly Listing[]): Promise<Facts> {
  const places = new Map(listings.map((listing) => [listing.id, placeOf(listing)]));
  return {
    listings,
    places,
    underwritings: await underwritings.readUnderwritings([...places.keys()]),
    matches: await findMatches(places),
  };
}

async function createCompose(ports: ComposePorts): Promise<(facts: Facts) => Promise<Deal[]>> {
  const { now } = ports;
  const licences = await ports.readLicences();
  const medianOf = createMedianCaps(await ports.listings.readCapRates());

  function compose(listing: Listing, facts: Facts): readonly Deal[] {
    const { id } = listing;
    const underwriting = facts.underwritings.get(id)?.underwriting;
    const place = facts.places.get(id);
    const licence = licences.get(listing.sourceName);
    if (place === undefined || underwriting === undefined || licence === undefined) return [];
    const metroMedianCapPct: Maybe<string> = isKnown(listing.countyFips)
      ? medianOf(listing.countyFips.value)
      : absent('insufficient_inputs');
    const matches = facts.matches.get(id) ?? noMatches;
    const distress = distressOf(matches, now);
    const score = scoreListing({ listing, underwriting, distress, metroMedianCapPct, now });
    return [{ id, listing, place, underwriting, matches, distress, score, scoredAt: now, licence }];
  }

  return async (facts) => {
    const deals: Deal[] = [];
    for (let start = 0; start < facts.listings.length; start += dealsPerTurn) {
      for (const listing of facts.listings.slice(start, start + dealsPerTurn)) deals.push(...compose(listing, facts));
      await nextTurn();
    }
    return deals;
  };
}
