import { setImmediate as nextTurn } from 'node:timers/promises';
import { identifyListing, type ListingIdentity } from '../../listings/listing-identity.js';
import type { ObservedListing } from '../../listings/listing.js';
import { keepRefusedListings, removeListings, retireListings } from '../../listings/retire-listings.js';
import { type IdentifiedListing, upsertListings } from '../../listings/upsert-listings.js';
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
  const identities = new WeakMap<ObservedListing, ListingIdentity>();
  const identityOf = (observed: ObservedListing): ListingIdentity => {
    const identity =
      identities.get(observed) ?? identifyListing(sourceName, withholdFields(observed, withheldFields), identify);
    identities.set(observed, identity);
    return identity;
  };
  return {
    chunkRows: chunkRows / 4,
    renewRawAfterMs: 0,
    keysAreUnique: true,
    identify: identityOf,
    keep: ({ runId, observedAt, rows }) =>
      upsertListings(knex, {
        sourceName,
        runId,
        observedAt,
        listings: rows.map(({ observed }): IdentifiedListing => ({
          ...identityOf(observed),
          observed,
          countyFips: countyOf(observed),
        })),
      }),
    async keepUnread(runId, keys) {
      await keepRefusedListings(knex, sourceName, runId, keys);
      return [];
    },
    retire: ({ runId, at }) => retireListings(knex, { sourceName, runId, at, yieldTurn: () => nextTurn() }),
    remove: (keys, at) => removeListings(knex, sourceName, keys, at),
  };
}
