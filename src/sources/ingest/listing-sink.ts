import { setImmediate as nextTurn } from 'node:timers/promises';
import { identifyListing } from '../../listings/listing-identity.js';
import type { ObservedListing } from '../../listings/listing.js';
import { keepRejectedListings, oldestUnread, removeListings, retireListings } from '../../listings/retire-listings.js';
import {
  promoteForKeys,
  promoteForVanished,
  saveWithDuplicates,
  keepUnreadDuplicates,
} from '../../listings/listing-duplicates.js';
import { type ListingChunk, type ListingToKeep, toListingToKeep } from '../../listings/listing-to-keep.js';
import { joinRepeats, upsertListings } from '../../listings/upsert-listings.js';
import { leaveOutFields } from '../../policy/leave-out-fields.js';
import type { IngestOptions } from './ingest-run.js';
import type { Sink, SinkChunk } from './sink.js';
import type { Source } from '../source.js';

/**
 * Keeps the listings of one source; each row is stamped with its run, and what bears no stamp of a complete run
 * retires. They are identified by what may be shown: an id that is made of an address would tell it.
 */
export function createListingSink(
  {
    name: sourceName,
    licence: { undisplayedFields = [] },
    tellsChanges = false,
  }: Pick<Source<'listings'>, 'name' | 'licence' | 'tellsChanges'>,
  options: IngestOptions,
): Sink<ObservedListing> {
  const { knex, identify, countyOf, chunkRows = 100 } = options;
  // Prepared when it is identified, while the rows before are written.
  const prepared = new WeakMap<ObservedListing, ListingToKeep>();
  const prepare = (observed: ObservedListing): ListingToKeep => {
    const identity = identifyListing(sourceName, leaveOutFields(observed, undisplayedFields), identify);
    const listing = toListingToKeep({ ...identity, observed, countyFips: countyOf(observed) });
    prepared.set(observed, listing);
    return listing;
  };
  const toChunk = ({ runId, observedAt, rows }: SinkChunk<ObservedListing>): ListingChunk => ({
    sourceName,
    runId,
    observedAt,
    listings: rows.map(({ observed }) => prepared.get(observed) ?? prepare(observed)),
  });
  return {
    chunkRows: Math.min(250, chunkRows / 2),
    renewRawAfterMs: 0,
    keysAreUnique: true,
    identify: prepare,
    keep: (chunk) => (tellsChanges ? saveWithDuplicates : upsertListings)(knex, toChunk(chunk)),
    // A source that is always read whole shows next time what it shows beside another now.
    keepRepeats: (chunk) => (tellsChanges ? saveWithDuplicates : joinRepeats)(knex, toChunk(chunk)),
    async keepUnread(runId, keys) {
      await keepRejectedListings(knex, sourceName, runId, keys);
      await keepUnreadDuplicates(knex, sourceName, runId, keys);
      return [];
    },
    async retire({ runId, at }) {
      const retirement = { sourceName, runId, at, yieldTurn: () => nextTurn() };
      await promoteForVanished(knex, { ...retirement, oldest: oldestUnread(at) });
      return retireListings(knex, retirement);
    },
    async remove(keys, at, runId) {
      await promoteForKeys(knex, keys, { sourceName, runId, at });
      return removeListings(knex, sourceName, keys, at);
    },
  };
}
