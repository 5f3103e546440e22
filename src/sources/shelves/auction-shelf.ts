import { identifyAuction } from '../../auctions/auction-identity.js';
import type { ObservedAuction } from '../../auctions/auction.js';
import { mergeAuctions } from '../../auctions/merge-auctions.js';
import { findAuctionIds, removeAuctions, retireAuctions } from '../../auctions/retire-auctions.js';
import { findTimeZone } from '../../metros/local-date-of.js';
import type { IngestOptions } from '../ingest-run.js';
import type { Shelf } from '../shelf.js';

/** Keeps the sales of one source. */
export function createAuctionShelf(sourceName: string, { knex }: Pick<IngestOptions, 'knex'>): Shelf<ObservedAuction> {
  return {
    chunkRows: 100,
    renewRawAfterMs: 0,
    keysAreUnique: true,
    identify: (observed) =>
      findTimeZone(observed.countyFips) === undefined
        ? { reject: 'invalid_value', detail: 'countyFips: the five digits of a county are expected.' }
        : identifyAuction(sourceName, observed),
    keep: ({ observedAt, rows }) => mergeAuctions(knex, { sourceName, observedAt, auctions: rows }),
    keepUnread: (_runId, keys) => findAuctionIds(knex, sourceName, keys),
    retire: (run) => retireAuctions(knex, { sourceName, ...run }),
    remove: (keys, at) => removeAuctions(knex, sourceName, keys, at),
  };
}
