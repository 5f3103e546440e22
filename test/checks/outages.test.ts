import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import { assertPaid, type Answer } from '../payments/answer.js';
import { createAccount, startTestChain } from '../support/chain.js';
import { openTestDatabase } from '../support/database.js';
import { faults, startMockFacilitator, type MockFacilitator } from '../support/mock-facilitator.js';
import { assertNotReady, assertReady, assertSurvives, openShop, path, type Shop } from './outage-shop.js';
import { answered, answers, outagesOfNodes } from './outages-of-nodes.js';

describe('a service asks nobody for money while it could not sell, and says so by its checks', function () {
  // A pure limit: chains and databases are started.
  this.timeout(120_000);

  describe('while it runs', () => {
    let shop: Shop;
    before(async () => (shop = await openShop()));
    after(() => shop?.stop());
    for (const outage of outagesOfNodes) it(outage.what, () => assertSurvives(shop, outage));

    it('a transaction is stuck, which its operator is told by its hash', async () => {
      let paying: Promise<Answer> | undefined;
      await assertSurvives(shop, {
        ...{ what: '', id: 'relayer.nonce', withinMs: 45_000 },
        async begin({ chain, get, sign }) {
          const header = await sign('of-a-payment-that-is-stuck');
          await chain.ask('evm_setAutomine', [false]);
          paying = get(path, header);
          while (Number((await chain.ask<{ pending: string }>('txpool_status')).pending) === 0);
        },
        async end({ app, chain }) {
          const told = app.watch.looked().find(({ id }) => id === 'relayer.nonce');
          assert.ok(told?.state === 'finding');
          assert.match(told.finding.sentence, /^The transaction 0x[0-9a-f]{64} of nonce [0-9]+ has waited .*: sent /);
          await chain.ask('evm_setAutomine', [true]);
          await chain.mineBlocks();
          assertPaid((await paying) ?? assert.fail());
        },
      });
    });
  });

  describe('from its start', () => {
    const settings = { SERVER_SECRET: 'of-the-service-before-and-after-its-start', PAY_TO: createAccount().address };
    let database: Database;
    let sold: string;
    before(async () => {
      database = await openTestDatabase();
      const shop = await openShop(settings, { database });
      sold = shop.sold;
      await shop.stop();
    });
    after(() => database?.close());
    for (const { what, id, decide } of answers)
      it(what, async () => {
        const shop = await openShop(settings, { decide, database, isSold: false });
        try {
          await assertNotReady(shop, id, await shop.get('/readyz'));
          assert.equal((await shop.get(path, sold)).status, 200, 'what was paid before is sent again');
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
