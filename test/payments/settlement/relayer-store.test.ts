import assert from 'node:assert/strict';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import type { Database } from '../../../src/db/database.js';
import { createRelayerStore, discardRelayed } from '../../../src/payments/settlement/relayer/relayer-store.js';
import { openTestDatabase } from '../../support/database.js';

const relayer: Hex = `0x${'a1'.repeat(20)}`;
const other: Hex = `0x${'b2'.repeat(20)}`;
const transaction = (nonce: number, digit: number) => ({
  nonce,
  hash: `0x${String(digit).repeat(64)}` as Hex,
  raw: `0x02${String(digit).repeat(6)}` as Hex,
});

describe('createRelayerStore', () => {
  let database: Database;
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));

  beforeEach(async () => (database = await openTestDatabase()));
  afterEach(() => database.close());

  it('lists what one relayer signed for one chain, from a nonce on, by nonce', async () => {
    const store = createRelayerStore(database.knex, 'one');
    await store.keep(relayer, transaction(11, 3), day(1));
    await store.keep(relayer, transaction(9, 1), day(1));
    await store.keep(relayer, transaction(10, 2), day(1));
    await store.keep(relayer, transaction(10, 4), day(2));
    await store.keep(other, transaction(10, 5), day(1));
    await createRelayerStore(database.knex, 'two').keep(relayer, transaction(10, 6), day(1));
    const raws = [transaction(10, 2), transaction(10, 4), transaction(11, 3)].map(({ raw }) => raw);
    assert.deepEqual(await store.list(relayer, 10), raws);
  });

  it('forgets one transaction, and drops all that are old', async () => {
    const store = createRelayerStore(database.knex, 'one');
    await store.keep(relayer, transaction(1, 1), day(1));
    await store.keep(relayer, transaction(2, 2), day(2));
    await store.keep(relayer, transaction(3, 3), day(3));
    await store.forget(relayer, transaction(2, 2));
    assert.deepEqual(await store.list(relayer, 0), [transaction(1, 1).raw, transaction(3, 3).raw]);
    assert.equal(await discardRelayed(database.knex, day(2)), 1);
    assert.deepEqual(await store.list(relayer, 0), [transaction(3, 3).raw]);
  });
});
