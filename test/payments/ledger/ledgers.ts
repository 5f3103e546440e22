import assert from 'node:assert/strict';
import { createHoldsReader } from '../../../src/payments/ledger/holds-reader.js';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import type { Ledger, PaymentKey } from '../../../src/payments/ledger/ledger.js';
import { fromHex, keyValues, paymentIdOf } from '../../../src/payments/ledger/payment-row.js';
import { listHeld } from '../../simulation/lead-counter.js';
import { createLedgerTables, createModelLedger } from '../../simulation/model-ledger.js';
import { stopDatabaseClock } from '../../support/database-clock.js';
import { openTestInstances } from '../../support/database.js';
import { after, buildClaim, buildSettlement, claimedAt } from './build-claim.js';

/**
 * One ledger as two instances of the service see it, with version 7 of the deals feed published. Its clock stands, at
 * first at `claimedAt`.
 */
export interface TwoLedgers {
  readonly first: Ledger;
  readonly second: Ledger;
  /** Sets its clock so many seconds after `claimedAt`. */
  setClock(seconds: number): Promise<void>;
  /** Puts a row that was rebuilt from the chain, and has bought nothing. */
  putRebuilt(key: PaymentKey): Promise<void>;
  /** The leads that are held now. */
  listHeld(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** What has to keep the promises of the port: the real store, and the model that simulations run on. */
export const ledgerKinds: readonly { readonly name: string; readonly open: () => Promise<TwoLedgers> }[] = [
  { name: 'the ledger', open: openStores },
  { name: 'the model of the ledger', open: openModels },
];

const { replyBody: _, feed: __, isPaid: ___, payerGas: ____, ...claimed } = buildClaim();
const rebuilt = {
  ...claimed,
  ...({
    state: 'settled',
    settlement: { ...buildSettlement(), settledAt: claimedAt },
    binding: undefined,
    operationId: '',
    resource: '',
  } as const),
  ...({
    claimedAt,
    leaseOwner: '',
    leaseUntil: claimedAt,
    searchFrom: claimedAt,
    validBefore: 0n,
    signature: '0x',
  } as const),
  ...({ reorgedAt: undefined, failure: undefined, delivery: 'pending' } as const),
  ...{ replyHash: Buffer.alloc(0), replyHeaders: {} },
};

async function openStores(): Promise<TwoLedgers> {
  const { databases, close } = await openTestInstances(2);
  const [first, second] = databases.map(({ knex }) => knex);
  assert.ok(first && second);
  const setClock = (seconds: number) => stopDatabaseClock(first, after(seconds));
  await setClock(0);
  await first('feed_versions').insert({ feed: 'deals', version: 7, published_at: claimedAt });
  return {
    first: createLedgerStore(first),
    second: createLedgerStore(second),
    setClock,
    async putRebuilt(key) {
      const { payTo, claimedAt: at, chainInstance, settlement } = rebuilt;
      const [network, asset, payer, nonce] = keyValues(key);
      await first('payments').insert({
        ...{
          network,
          asset,
          payer,
          nonce,
          state: 'settled',
          operation_id: '',
          amount: '50000',
          pay_to: fromHex(payTo),
        },
        ...{ claimed_at: at, lease_owner: '', lease_until: at, search_from: at, chain_instance: chainInstance },
        ...{
          settle_transaction: fromHex(settlement.transaction),
          settle_block: '13',
          settled_at: settlement.settledAt,
        },
        ...{ payment_id: paymentIdOf(key), is_newcomer: false, rebuilt_at: at },
      });
    },
    listHeld: async () => (await createHoldsReader(second)()).leadIds,
    close,
  };
}

async function openModels(): Promise<TwoLedgers> {
  const tables = createLedgerTables();
  tables.feeds.set('deals', 7);
  let now = claimedAt;
  const open = () => createModelLedger(tables, { now: () => now });
  return {
    first: open(),
    second: open(),
    setClock: async (seconds) => void (now = after(seconds)),
    async putRebuilt({ network, asset, payer, nonce }) {
      tables.put({ ...rebuilt, network, asset, payer, nonce });
    },
    listHeld: async () => listHeld(tables, now),
    close: async () => undefined,
  };
}
