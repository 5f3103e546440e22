import { identifyAuction } from '../../../counties/auctions/auction-identity.js';
import type { ObservedAuction } from '../../../counties/auctions/auction.js';
import { mergeAuctions } from '../../../counties/auctions/merge-auctions.js';
import { findAuctionIds, removeAuctions, retireAuctions } from '../../../counties/auctions/retire-auctions.js';
import { findTimeZone } from '../../../places/metros/counties.js';
import { leaveOutFields } from '../../../policy/leave-out-fields.js';
import type { IngestOptions } from '../ingest-run.js';
import type { Sink } from '../sink.js';
import type { Source } from '../../source.js';

/**
 * Keeps the sales of one source, identified by what may be shown: an id that is made of a case number would tell it.
 */
export function createAuctionSink(
  { name: sourceName, licence: { undisplayedFields = [] } }: Pick<Source<'auctions'>, 'name' | 'licence'>,
  { knex }: Pick<IngestOptions, 'knex'>,
): Sink<ObservedAuction> {
  return {
    chunkRows: 100,
    renewRawAfterMs: 0,
    keysAreUnique: true,
    identify: (observed) =>
      findTimeZone(observed.countyFips) === undefined
        ? { reject: 'invalid_value', detail: 'countyFips: the five digits of a county are expected.' }
        : identifyAuction(sourceName, leaveOutFields(observed, undisplayedFields)),
    keep: ({ observedAt, rows }) => mergeAuctions(knex, { sourceName, observedAt, auctions: rows }),
    keepUnread: (_runId, keys) => findAuctionIds(knex, sourceName, keys),
    retire: (run) => retireAuctions(knex, { sourceName, ...run }),
    remove: (keys, at) => removeAuctions(knex, sourceName, keys, at),
  };
}
