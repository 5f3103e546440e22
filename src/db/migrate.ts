import type { Knex } from 'knex';
import * as listings from './migrations/001-listings.js';
import * as rentsUnderwriting from './migrations/002-rents-underwriting.js';
import * as feeds from './migrations/003-feeds.js';
import * as payments from './migrations/004-payments.js';
import * as jobRuns from './migrations/005-job-runs.js';
import * as paymentIds from './migrations/006-payment-ids.js';
import * as relayerTransactions from './migrations/007-relayer-transactions.js';
import * as ledgerAudit from './migrations/008-ledger-audit.js';
import * as sourceWatermarks from './migrations/009-source-watermarks.js';
import * as signalsAuctionsParcels from './migrations/010-signals-auctions-parcels.js';
import * as publishedRecords from './migrations/011-published-records.js';
import * as dealDossiers from './migrations/012-deal-dossiers.js';
import * as publishedPlaces from './migrations/013-published-places.js';
import * as incrementalPublication from './migrations/014-incremental-publication.js';
import * as leadHolds from './migrations/015-lead-holds.js';
import * as completePublications from './migrations/016-complete-publications.js';
import * as placeKeys from './migrations/017-place-keys.js';
import * as feedChanges from './migrations/018-feed-changes.js';
import * as problemCodes from './migrations/019-problem-codes.js';
import * as refusedSources from './migrations/020-refused-sources.js';
import * as serverKeys from './migrations/021-server-keys.js';
import * as partialClientIds from './migrations/022-partial-client-ids.js';
import * as recordsOfAVersion from './migrations/023-records-of-a-version.js';
import * as sealedRecords from './migrations/024-sealed-records.js';
import * as withheldFields from './migrations/025-withheld-fields.js';
import * as replacedAuctions from './migrations/026-replaced-auctions.js';
import * as runConfigurations from './migrations/027-run-configurations.js';
import * as sealedBasicViews from './migrations/028-sealed-basic-views.js';
import * as figuresAsWritten from './migrations/029-figures-as-written.js';
import * as carriedRents from './migrations/030-carried-rents.js';
import * as publications from './migrations/031-publications.js';
import * as listingStandbys from './migrations/032-listing-standbys.js';
import * as takenBack from './migrations/033-taken-back.js';
import * as listingPlaces from './migrations/034-listing-places.js';
import * as plannedReads from './migrations/035-planned-reads.js';
import * as plannedLookup from './migrations/036-planned-lookup.js';
import * as rentsBySource from './migrations/037-rents-by-source.js';
import * as unseenSources from './migrations/038-unseen-sources.js';
import * as sourceCounties from './migrations/039-source-counties.js';
import { inTransaction } from './transaction.js';

interface NamedMigration extends Knex.Migration {
  readonly name: string;
}

/** Every change of the schema, in order. The names are kept in the database: never rename one that was released. */
export const migrations: readonly NamedMigration[] = [
  { name: '001-listings', ...listings },
  { name: '002-rents-underwriting', ...rentsUnderwriting },
  { name: '003-feeds', ...feeds },
  { name: '004-payments', ...payments },
  { name: '005-job-runs', ...jobRuns },
  { name: '006-payment-ids', ...paymentIds },
  { name: '007-relayer-transactions', ...relayerTransactions },
  { name: '008-ledger-audit', ...ledgerAudit },
  { name: '009-source-watermarks', ...sourceWatermarks },
  { name: '010-signals-auctions-parcels', ...signalsAuctionsParcels },
  { name: '011-published-records', ...publishedRecords },
  { name: '012-deal-dossiers', ...dealDossiers },
  { name: '013-published-places', ...publishedPlaces },
  { name: '014-incremental-publication', ...incrementalPublication },
  { name: '015-lead-holds', ...leadHolds },
  { name: '016-complete-publications', ...completePublications },
  { name: '017-place-keys', ...placeKeys },
  { name: '018-feed-changes', ...feedChanges },
  { name: '019-problem-codes', ...problemCodes },
  { name: '020-refused-sources', ...refusedSources },
  { name: '021-server-keys', ...serverKeys },
  { name: '022-partial-client-ids', ...partialClientIds },
  { name: '023-records-of-a-version', ...recordsOfAVersion },
  { name: '024-sealed-records', ...sealedRecords },
  { name: '025-withheld-fields', ...withheldFields },
  { name: '026-replaced-auctions', ...replacedAuctions },
  { name: '027-run-configurations', ...runConfigurations },
  { name: '028-sealed-basic-views', ...sealedBasicViews },
  { name: '029-figures-as-written', ...figuresAsWritten },
  { name: '030-carried-rents', ...carriedRents },
  { name: '031-publications', ...publications },
  { name: '032-listing-standbys', ...listingStandbys },
  { name: '033-taken-back', ...takenBack },
  { name: '034-listing-places', ...listingPlaces },
  { name: '035-planned-reads', ...plannedReads },
  { name: '036-planned-lookup', ...plannedLookup },
  { name: '037-rents-by-source', ...rentsBySource },
  { name: '038-unseen-sources', ...unseenSources },
  { name: '039-source-counties', ...sourceCounties },
];

/** Any number will do, as long as every instance asks for the same one. */
const lockKey = 402_000_001;

/**
 * Brings the schema up to date and says which migrations ran. Everything happens in one transaction under a lock that
 * ends with it: instances that start together migrate once, and one that is killed half-way leaves no trace.
 */
export async function migrate(knex: Knex, list: readonly NamedMigration[] = migrations): Promise<string[]> {
  return inTransaction(knex, async (transaction) => {
    // Both the wait for another instance and a large index may take longer than an ordinary statement may.
    await transaction.raw('set local statement_timeout = 0');
    await transaction.raw('set local lock_timeout = 0');
    await transaction.raw('select pg_advisory_xact_lock(?)', [lockKey]);
    if (await isUpToDate(transaction, list)) return [];
    const [, done] = (await transaction.migrate.latest({ migrationSource: sourceOf(list) })) as [number, string[]];
    return done;
  });
}

/** Asked first, since it is what nearly every start finds, and knex takes a dozen statements to find it. */
async function isUpToDate(transaction: Knex, list: readonly NamedMigration[]): Promise<boolean> {
  const { rows } = await transaction.raw<{ rows: { table: string | null }[] }>(
    `select to_regclass('knex_migrations') as "table"`,
  );
  if (rows[0]?.table === null) return false;
  const done = await transaction<{ id: number; name: string }>('knex_migrations').orderBy('id').pluck('name');
  return done.length === list.length && list.every(({ name }, index) => name === done[index]);
}

/** A fixed list instead of a directory, so that sources and compiled files behave the same. */
function sourceOf(list: readonly NamedMigration[]): Knex.MigrationSource<NamedMigration> {
  return {
    getMigrations: async () => [...list],
    getMigrationName: (migration) => migration.name,
    getMigration: async (migration) => migration,
  };
}
