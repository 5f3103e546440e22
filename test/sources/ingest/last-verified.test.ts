import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { createListingReader } from '../../../src/listings/listing-reader.js';
import { openChangingExchange } from './changing-exchange.js';
import { clock, observeMany } from './scripted-source.js';

describe('the last verification of a listing, at a source that reports its changes', () => {
  let exchange: Awaited<ReturnType<typeof openChangingExchange>>;
  beforeEach(async () => void (exchange = await openChangingExchange(3)));
  afterEach(() => exchange.database.close());

  /** By key, the last day on which each was seen; -1 when it is not offered. */
  const days = async () => {
    const found = new Map<string, number>();
    for await (const chunk of createListingReader(exchange.database.knex, () => clock.now).readActive())
      for (const { sourceKey, lastSeenAt } of chunk) found.set(sourceKey, dayOf(lastSeenAt));
    return ['k0', 'k1', 'k2'].map((key) => found.get(key) ?? -1);
  };

  /** By key, the days on which each price was observed. */
  const pricedDays = async () => {
    const found = new Map<string, number[]>();
    for await (const chunk of createListingReader(exchange.database.knex, () => clock.now).readActive())
      for (const { sourceKey, prices } of chunk)
        found.set(
          sourceKey,
          prices.map(({ observedAt }) => dayOf(observedAt)),
        );
    return ['k0', 'k1', 'k2'].map((key) => found.get(key));
  };

  it('is the last reading of changes, since an unchanged listing is still current', async () => {
    const [changed] = observeMany(1, { remarks: known('Now with photos.') });
    assert.ok(changed);
    await exchange.read(1, { pages: [[changed]], removedKeys: ['k1'], watermark: 'w1' });
    assert.deepEqual(await days(), [1, -1, 1]);
    await exchange.read(2, { pages: [[]], watermark: 'w2' });
    assert.deepEqual(await days(), [2, -1, 2]);
  });

  it('is the second observation of a current price, and none when the price is no longer stated', async () => {
    const [first, second] = observeMany(2, { listPrice: absent('not_stated_by_source') });
    assert.ok(first && second);
    assert.deepEqual(await pricedDays(), [[0], [0], [0]]);
    await exchange.read(1, { pages: [[first]], watermark: 'w1' });
    assert.deepEqual(await pricedDays(), [[0], [0, 1], [0, 1]]);
    await exchange.read(2, { pages: [[{ ...second, listPrice: known('199000') }]], watermark: 'w2' });
    await exchange.read(4, { pages: [[]], watermark: 'w4' });
    assert.deepEqual(await pricedDays(), [[0], [0, 2, 4], [0, 4]]);
  });

  it("stays after a failed run and after a run from an operator's watermark", async () => {
    exchange.source.onFetch = async () => Promise.reject(new Error('broken off'));
    assert.equal((await exchange.read(1, { pages: [[]], watermark: 'w1' })).status, 'failed');
    exchange.source.onFetch = async () => {};
    await exchange.read(2, { pages: [[]], watermark: 'w2' }, 'w1');
    assert.deepEqual(await days(), [0, 0, 0]);
  });

  it('stays for a changed, unreadable listing until it can be read', async () => {
    const unread = { reject: 'row_unreadable', key: 'k0', detail: 'broken' } as const;
    await exchange.read(1, { pages: [[unread]], watermark: 'w1' });
    assert.deepEqual(await days(), [0, 1, 1]);
    await exchange.read(2, { pages: [[]], watermark: 'w2' });
    assert.deepEqual(await days(), [0, 2, 2]);
    await exchange.read(3, { pages: [observeMany(1)], watermark: 'w3' });
    await exchange.read(4, { pages: [[]], watermark: 'w4' });
    assert.deepEqual(await days(), [4, 4, 4]);
  });
});

function dayOf(moment: Date): number {
  return (moment.getTime() - Date.parse('2026-11-01')) / 86_400_000;
}
