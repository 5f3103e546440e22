import { pino } from 'pino';
import { loadContract } from '../../src/contract/load-contract.js';
import { openPostgres } from '../../src/db/open-postgres.js';
import { startTestApp } from './app.js';
import { createAccount, type TestChain } from './chain.js';
import { licensed, readSomeCountyRecords } from './county-records.js';
import { dropListings } from './drop-listings.js';
import { livePath } from './live-path.js';

const paidOperations = loadContract().operations.filter(({ priceUsd }) => priceUsd !== undefined);

/** Publishes records and events of every feed, and returns the request for each paid operation. */
export async function publishLicensed(databaseUrl: string, secret: string): Promise<ReadonlyMap<string, string>> {
  const database = await openPostgres({ url: databaseUrl }, pino({ level: 'silent' }));
  const app = await startTestApp({ withData: false, database, environment: { SERVER_SECRET: secret } });
  try {
    dropListings(app.config.dropDirectory);
    await app.pipeline.ingest();
    await readSomeCountyRecords(app, licensed);
    await app.pipeline.publish('all');
    // The events of a feed begin with its second publication.
    dropListings(app.config.dropDirectory, 'B-2,102 Example Ave,Cleveland,OH,44105,310000,4,9.5');
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    return new Map(paidOperations.map(({ operationId, path }) => [operationId, livePath(app, path)]));
  } finally {
    await app.stop();
    await database.close();
  }
}

/** Keys with ether, for the setting. A key has a single writer: each process takes one of the list. */
export async function createRelayerKeys(chain: TestChain, count: number): Promise<string> {
  const relayers = Array.from({ length: count }, createAccount);
  for (const { address } of relayers) await chain.ask('anvil_setBalance', [address, '0xde0b6b3a7640000']);
  return relayers.map(({ privateKey }) => privateKey).join(',');
}
