import assert from 'node:assert/strict';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import type { Database } from '../../../src/db/database.js';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import type { Claim } from '../../../src/payments/ledger/ledger.js';
import {
  createRelayerStore,
  discardRelayed,
  type KeptTransaction,
  type RelayerStore,
} from '../../../src/payments/settlement/relayer/relayer-store.js';
import { fromHex } from '../../../src/payments/ledger/payment-row.js';
import { countUnknownNonces } from '../../../src/operator/checks/database-reader.js';
import { openTestDatabase } from '../../support/database.js';
import { holdKey } from './hold-key.js';
import { buildClaim, claimedAt, randomHex } from '../ledger/build-claim.js';

const relayer: Hex = `0x${'a1'.repeat(20)}`;
const other: Hex = `0x${'b2'.repeat(20)}`;
const network = { id: 'eip155:31337' as const, asset: randomHex(20) };

const transaction = (nonce: number, digit: number): KeptTransaction => ({
  nonce,
  hash: `0x${String(digit).repeat(64)}`,
  raw: `0x02${String(digit).repeat(6)}`,
  carries: [{ payer: `0x${String(digit).repeat(40)}`, nonce: `0x${'7'.repeat(64)}` }],
  giveUpInMs: digit * 60_000,
});

describe('createRelayerStore', () => {
  let database: Database;
  let store: RelayerStore;
  const list = async (fromNonce: number) => (await store.list(relayer, fromNonce)).map(({ hash }) => Number(hash[2]));

  beforeEach(async () => {
    database = await openTestDatabase();
    store = createRelayerStore(database.knex, network, 'owner', 'one');
    for (const key of [relayer, other])
      await holdKey(database.knex, { chain: `${network.id} one`, relayer: key, owner: 'owner' });
  });
  afterEach(() => database.close());

  it('lists what one relayer signed for one chain, from a nonce on, by nonce', async () => {
    await store.keep(relayer, transaction(11, 3), []);
    await store.keep(relayer, transaction(9, 1), []);
    await store.keep(relayer, transaction(10, 2), []);
    await store.keep(relayer, transaction(10, 4), []);
    await store.keep(other, transaction(10, 5), []);
    await holdKey(database.knex, { chain: `${network.id} two`, relayer, owner: 'owner' });
    const elsewhere = createRelayerStore(database.knex, network, 'owner', 'two');
    assert.equal(await elsewhere.keep(relayer, transaction(10, 6), []), true);
    assert.deepEqual(await list(10), [2, 4, 3]);
  });

  it("tells how many of the nonces that are used on the chain are another program's", async () => {
    const { knex } = database;
    const chain = `${network.id} one`;
    const count = (used: number) => countUnknownNonces(knex, chain, relayer, used);
    assert.equal(await count(4), 4, 'a key that this database never used');
    for (const nonce of [9, 10, 13]) await store.keep(relayer, transaction(nonce, nonce % 10), []);
    await store.keep(relayer, transaction(10, 7), []);
    const counts = [];
    for (const used of [8, 9, 11, 12, 14, 16]) counts.push(await count(used));
    assert.deepEqual(counts, [0, 0, 0, 1, 2, 4]);
  });

  it('keeps nothing in a database that lacks what it has kept', async () => {
    const lacks = (nextNonce: number) =>
      database
        .knex('relayer_leases')
        .where({ relayer: fromHex(relayer) })
        .update({ next_nonce: nextNonce });
    assert.equal(store.nextNonce(relayer), 0);
    await store.keep(relayer, transaction(10, 1), []);
    assert.equal(store.nextNonce(relayer), 11);
    await lacks(10);
    assert.equal(await store.keep(relayer, transaction(11, 2), []), false);
    assert.equal(await store.keep(other, transaction(3, 3), []), true);
    await lacks(11);
    assert.equal(await store.keep(relayer, transaction(11, 2), []), true);
  });

  it('lists what was kept, and how much of its time is left by the clock of the database', async () => {
    const { giveUpInMs, ...kept } = transaction(1, 1);
    await store.keep(relayer, { ...kept, giveUpInMs }, []);
    const ago = database.knex.raw(`give_up_at - interval '50 seconds'`);
    await database.knex('relayer_transactions').update({ give_up_at: ago });
    const [{ giveUpInMs: leftMs = 0, ...listed } = {}] = await store.list(relayer, 0);
    assert.deepEqual(listed, kept);
    assert.ok(leftMs > 0 && leftMs <= 10_000, `${leftMs} ms`);
  });

  it('forgets one transaction, and drops all that are old', async () => {
    for (const nonce of [1, 2, 3]) await store.keep(relayer, transaction(nonce, nonce), []);
    await database.knex.raw("update relayer_transactions set kept_at = kept_at - interval '1 day' where nonce = 1");
    await store.forget(relayer, transaction(2, 2));
    assert.deepEqual(await list(0), [1, 3]);
    assert.equal(await discardRelayed(database.knex, 86_400_000), 1);
    assert.deepEqual(await list(0), [3]);
  });

  it('finds what was kept last for a payment, with all that was signed for its nonce, by whomever', async () => {
    const [payment] = transaction(0, 1).carries;
    assert.ok(payment);
    const carries = [...transaction(0, 2).carries, payment];
    await store.keep(relayer, transaction(4, 1), []);
    await store.keep(other, { ...transaction(5, 3), carries }, []);
    await store.keep(other, { ...transaction(5, 4), carries }, []);
    await store.keep(other, transaction(6, 5), []);
    const found = await store.findLast(payment);
    assert.deepEqual([found?.relayer, found?.transactions.map(({ hash }) => hash[2])], [other, ['3', '4']]);
    assert.deepEqual(found?.transactions[0].carries, carries);
    assert.equal(await store.findLast({ ...payment, nonce: randomHex(32) }), undefined);
  });

  it('keeps nothing without the lease of the key, and then knows of no higher nonce', async () => {
    const chain = `${network.id} one`;
    const nextNonce = async () =>
      (await database.knex('relayer_leases').where({ chain, owner: 'owner' }).max('next_nonce'))[0];
    assert.equal(await store.keep(relayer, transaction(6, 1), []), true);
    assert.equal(await store.keep(relayer, transaction(3, 2), []), true);
    await holdKey(database.knex, { chain, relayer, owner: 'owner', seconds: 0 });
    assert.equal(await store.keep(relayer, transaction(8, 3), []), false, 'ended');
    await holdKey(database.knex, { chain, relayer, owner: 'another' });
    await assert.rejects(store.forget(relayer, transaction(3, 2)), /not held/, 'the next holder may have sent it');
    assert.equal(await store.keep(relayer, transaction(8, 3), []), false, 'of another');
    await database.knex('relayer_leases').where({ owner: 'another' }).delete();
    assert.equal(await store.keep(relayer, transaction(8, 3), []), false, 'of nobody');
    await holdKey(database.knex, { chain, relayer, owner: 'owner' });
    const next = createRelayerStore(database.knex, network, 'owner', 'one');
    assert.equal(await next.keep(relayer, transaction(4, 3), []), true);
    assert.equal((await store.list(relayer, 0)).length, 3);
    assert.deepEqual(await nextNonce(), { max: '5' });
  });

  describe('for a claim', () => {
    let claim: Claim;
    const keep = (leaseOwner = claim.leaseOwner) => store.keep(relayer, transaction(1, 1), [{ ...claim, leaseOwner }]);

    beforeEach(async () => {
      await database.knex('feed_versions').insert({ feed: 'deals', version: 7, published_at: claimedAt });
      claim = buildClaim({ network: network.id, asset: network.asset });
      assert.equal((await createLedgerStore(database.knex).claim(claim)).kind, 'claimed');
    });

    it('keeps while its lease is held', async () => {
      assert.equal(await keep(), true);
      assert.equal((await store.list(relayer, 0)).length, 1);
    });

    it('lists no time that is left for what carries a payment that was let go since', async () => {
      const { payer, nonce } = claim;
      await store.keep(relayer, { ...transaction(1, 1), carries: [{ payer, nonce }] }, [claim]);
      const left = async () => (await store.list(relayer, 0)).map(({ giveUpInMs }) => giveUpInMs > 0);
      assert.deepEqual(await left(), [true]);
      await createLedgerStore(database.knex).release(claim, claim.leaseOwner, 'it was canceled');
      assert.deepEqual(await left(), [false]);
    });

    it('keeps nothing once the lease has ended, another owns it, or the payment is over or unknown', async () => {
      assert.equal(await keep('another'), false, 'of another');
      const unknown = { ...claim, nonce: randomHex(32) };
      assert.equal(await store.keep(relayer, transaction(1, 1), [claim, unknown]), false, 'unknown');
      await createLedgerStore(database.knex).endLease(claim, claim.leaseOwner);
      assert.equal(await keep(), false, 'ended');
      await createLedgerStore(database.knex).release(claim, claim.leaseOwner, 'over');
      assert.equal(await keep(), false, 'over');
      assert.deepEqual(await store.list(relayer, 0), []);
    });
  });
});
