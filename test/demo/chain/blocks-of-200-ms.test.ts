import assert from 'node:assert/strict';
import { assertPaid } from '../../payments/answer.js';
import { openShop, type Shop } from '../../payments/shop.js';

describe('the demonstration on a chain with a block each 200 ms', () => {
  let shop: Shop;

  before(async () => {
    shop = await openShop({ localBlockMs: 200 });
  });
  after(() => shop.close());

  it('sells to one buyer after the other, and to many at once, each in a block of the chain', async () => {
    const buy = async (): Promise<void> =>
      assertPaid(await shop.pay('/api/deals/hot', await shop.sign('/api/deals/hot')));
    for (let call = 0; call < 3; call += 1) await buy();
    await Promise.all(Array.from({ length: 20 }, buy));
    assert.equal(await shop.chain.ask('anvil_getAutomine'), false);
    await shop.assertConserved();
    assert.equal((await shop.app.selling.reconcile()).open, 0);
  });
});
