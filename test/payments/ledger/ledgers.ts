import assert from 'node:assert/strict';
import { createHoldsReader, type LeadHold } from '../../../src/payments/ledger/holds-reader.js';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import type { Ledger } from '../../../src/payments/ledger/ledger.js';
import { createLedgerTables, createModelLedger } from '../../simulation/model-ledger.js';
import { openTestInstances } from '../../support/database.js';
import { claimedAt } from './build-claim.js';

/** One ledger as two instances of the service see it, with version 7 of the deals feed published. */
export interface TwoLedgers {
  readonly first: Ledger;
  readonly second: Ledger;
  /** The leads that are held at a moment, with the end of each hold. */
  readHolds(now: Date): Promise<readonly LeadHold[]>;
  close(): Promise<void>;
}

/** What has to keep the promises of the port: the real store, and the model that simulations run on. */
export const ledgerKinds: readonly { readonly name: string; readonly open: () => Promise<TwoLedgers> }[] = [
  { name: 'the ledger', open: openStores },
  { name: 'the model of the ledger', open: openModels },
];

async function openStores(): Promise<TwoLedgers> {
  const { databases, close } = await openTestInstances(2);
  const [first, second] = databases.map(({ knex }) => knex);
  assert.ok(first && second);
  await first('feed_versions').insert({ feed: 'deals', version: 7, published_at: claimedAt });
  return {
    first: createLedgerStore(first),
    second: createLedgerStore(second),
    readHolds: createHoldsReader(second),
    close,
  };
}

async function openModels(): Promise<TwoLedgers> {
  const tables = createLedgerTables();
  tables.feeds.set('deals', 7);
  return {
    first: createModelLedger(tables),
    second: createModelLedger(tables),
    readHolds: async (now) => [...tables.holds].filter(({ until }) => until > now),
    close: async () => undefined,
  };
}
