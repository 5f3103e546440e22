import { createAuctionReader } from '../counties/auctions/auction-reader.js';
import { createSignalReader } from '../counties/signals/signal-reader.js';
import type { Database } from '../db/database.js';
import { createFindPublished } from '../feeds/store/place-reader.js';
import { createListingReader } from '../listings/listing-reader.js';
import type { SuppressionList } from '../policy/suppression-list.js';
import { readLicencesByName, readStandings } from '../sources/standings-reader.js';
import { createRentReader } from '../underwriting/rents/rent-reader.js';
import { readUnderwritten } from '../underwriting/underwriting-reader.js';

/** What the steps of a publication read. */
export type Readers = ReturnType<typeof openReaders>;

/** Reads a database, or one transaction of it. Suppressed properties are not offered. */
export function openReaders(knex: Database['knex'], suppression: SuppressionList, now: () => Date) {
  return {
    listings: createListingReader(knex, now, suppression),
    signals: createSignalReader({ knex, suppression, now }),
    auctions: createAuctionReader({ knex, suppression, now }),
    rents: createRentReader(knex),
    readUnderwritten: () => readUnderwritten(knex),
    /** Licences by source name. */
    readLicences: () => readLicencesByName(knex),
    readStandings: () => readStandings(knex),
    findPublished: createFindPublished(knex),
  };
}
