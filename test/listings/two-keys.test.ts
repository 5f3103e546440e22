import assert from 'node:assert/strict';
import { known } from '../../src/absence.js';
import { clock } from '../sources/ingest/scripted-source.js';
import { at, openSources } from './read-sources.js';

describe('the id of a deal that one delivery shows by two keys', () => {
  let sources: Awaited<ReturnType<typeof openSources>>;
  beforeEach(async () => {
    sources = await openSources();
  });
  afterEach(() => sources.database.close());

  for (const keys of [
    ['k1', 'k2'],
    ['k2', 'k1'],
  ])
    it(`is the first one, and the other an alias, when one of them was mended: ${keys.join(' before ')}`, async () => {
      const mended = at('1234 Kinsmann Rd', { sourceKey: 'k1', listPrice: known('300000') });
      const right = at('1234 Kinsman Rd', { sourceKey: 'k2', listPrice: known('250000') });
      await sources.read(0, 'a', [mended, right]);
      const before = (await sources.deals()).map(({ id }) => id);
      assert.equal(before.length, 2);
      const prices: Record<string, string> = { k1: '300000', k2: '250000' };
      const now = keys.map((key) => ({ ...right, sourceKey: key, listPrice: known(prices[key] ?? '') }));
      await sources.read(1, 'a', now);
      const deal = await sources.only();
      assert.deepEqual([deal.id, ...deal.aliases].sort(), before.sort());
      assert.equal(deal.sourceKey, keys[0]);
      const offered = [...new Set(deal.prices.map(({ price }) => price))];
      assert.deepEqual(offered, [prices[keys[0] ?? '']], 'the price of the other key is no cut');
      await sources.read(2, 'a', now);
      assert.deepEqual(
        [(await sources.only()).id, (await sources.only()).aliases],
        [deal.id, deal.aliases],
        'read again',
      );
    });

  it('retires where that key was of another property', async () => {
    await sources.read(0, 'a', [at('7 Oak Ave', { sourceKey: 'k1' }), at('500 E Elm St', { sourceKey: 'k2' })]);
    await sources.read(1, 'a', [at('500 E Elm St', { sourceKey: 'k2' }), at('500 E Elm St', { sourceKey: 'k1' })]);
    const deal = await sources.only();
    assert.deepEqual([deal.sourceKey, deal.aliases], ['k2', []]);
    for await (const changes of sources.reader().changedSince(clock.now))
      assert.ok(
        changes.some(({ id, listing }) => id !== deal.id && listing === undefined),
        'it leaves the feed',
      );
  });
});
