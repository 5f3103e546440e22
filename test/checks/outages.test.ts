import type { Fate } from '../payments/settlement/flaky-node.js';
import { startTestChain } from '../support/chain.js';
import { faults, startMockFacilitator, type MockFacilitator } from '../support/mock-facilitator.js';
import { assertNotReady, assertReady, assertSurvives, openShop, type Shop } from './outage-shop.js';
import { answered, outagesOfNodes, result } from './outages-of-nodes.js';

describe('a service asks nobody for money while it could not sell, and says so by its checks', function () {
  // A pure limit: chains and databases are started.
  this.timeout(120_000);

  describe('while it runs', () => {
    let shop: Shop;
    before(async () => (shop = await openShop()));
    after(() => shop?.stop());
    for (const outage of outagesOfNodes) it(outage.what, () => assertSurvives(shop, outage));
  });

  describe('from its start', () => {
    for (const { what, id, decide } of [
      { what: 'the node is gone', id: 'chain.reach', decide: (): Fate => 'lost_request' },
      {
        what: 'the relayer has no gas',
        id: 'relayer.gas',
        decide: (method: string): Fate => (method === 'eth_getBalance' ? result('0x0') : 'answered'),
      },
    ])
      it(what, async () => {
        const shop = await openShop({}, { decide, isSold: false });
        try {
          await assertNotReady(shop, id, await shop.get('/readyz'));
          shop.decide(answered);
          await shop.step();
          await assertReady(shop);
        } finally {
          await shop.stop();
        }
      });
  });

  describe('with a facilitator', () => {
    let facilitator: MockFacilitator;
    let shop: Shop;
    before(async () => {
      // Its own chain: nothing is sold through it here.
      const chain = await startTestChain(84532);
      facilitator = await startMockFacilitator(chain).finally(() => chain.stop());
      const environment = { FACILITATOR_URL: facilitator.url, RELAYER_PRIVATE_KEYS: '' };
      shop = await openShop(environment, { isSold: false });
    });
    after(async () => {
      await shop?.stop();
      await facilitator?.stop();
    });
    it('the facilitator is down', async () => {
      const begin = () => void (facilitator.behaviours = { '/supported': faults.fails });
      const end = () => void (facilitator.behaviours = {});
      await assertSurvives(shop, { what: '', id: 'facilitator.reach', begin, end }, false);
    });
  });
});
