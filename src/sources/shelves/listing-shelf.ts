import { setImmediate as nextTurn } from 'node:timers/promises';
import { identifyListing } from '../../listings/listing-identity.js';
import type { ObservedListing } from '../../listings/listing.js';
import { keepRefusedListings, removeListings, retireListings } from '../../listings/retire-listings.js';
import { type ListingToKeep, toListingToKeep, upsertListings } from '../../listings/upsert-listings.js';
import { withholdFields } from '../../policy/withhold-fields.js';
import type { IngestOptions } from '../ingest-run.js';
import type { Shelf } from '../shelf.js';
import type { Source } from '../source.js';

/**
 * Keeps the listings of one source; each row is stamped with its run, and what bears no stamp of a complete run retires.
 * They are identified by what may be shown: an id that is made of an address would tell it.
 */
export function createListingShelf(
  { name: sourceName, licence: { withheldFields = [] } }: Pick<Source<'listings'>, 'name' | 'licence'>,
  options: IngestOptions,
): Shelf<ObservedListing> {
  const { knex, identify, countyOf, chunkRows = 100 } = options;
  // Prepared when it is identified, while the rows before are written.
  const prepared = new WeakMap<ObservedListing, ListingToKeep>();
  const prepare = (observed: ObservedListing): ListingToKeep => {
    const identity = identifyListing(sourceName, withholdFields(observed, withheldFields), identify);
    const listing = toListingToKeep({ ...identity, observed, countyFips: countyOf(observed) });
    prepared.set(observed, listing);
    return listing;
  };
  return {
    chunkRows: chunkRows / 4,
    renewRawAfterMs: 0,
    keysAreUnique: true,
    identify: prepare,
    keep: ({ runId, observedAt, rows }) =>
      upsertListings(knex, {
        sourceName,
        runId,
        observedAt,
        listings: rows.map(({ observed }) => prepared.get(observed) ?? prepare(observed)),
      }),
    async keepUnread(runId, keys) {
      await keepRefusedListings(knex, sourceName, runId, keys);
      return [];
    },
    retire: ({ runId, at }) => retireListings(knex, { sourceName, runId, at, yieldTurn: () => nextTurn() }),
    remove: (keys, at) => removeListings(knex, sourceName, keys, at),
  };
}
