import assert from 'node:assert/strict';
import { createWebStorage } from '../../../src/client/payments/payment-storage.js';

describe('a storage of payments in a browser', () => {
  it('keeps one text under one key, and nothing when the change throws', async () => {
    const items = new Map<string, string>();
    const store = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, text: string) => void items.set(key, text),
    };
    await createWebStorage(store).update((text) => `${text}, one`);
    await createWebStorage(store).update((text) => `${text}, two`);
    await assert.rejects(
      createWebStorage(store).update(() => assert.fail('over budget')),
      /over budget/,
    );
    assert.deepEqual([...items], [['x402-payments', 'undefined, one, two']]);
  });
});
