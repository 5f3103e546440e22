import assert from 'node:assert/strict';
import { deep } from '../support/depth.js';
import { runOrder } from './paying-orders.js';

const orders = deep(1_000, 50);
/** A bug that does not appear within this many orders counts as missed. */
const ordersPerDamage = 150;

describe('paying on a page, in random orders of buying, refusing, losing the connection, reloading, closing, a second tab', function () {
  this.timeout(900_000);

  it(`charges once, loses nothing that was paid, and the ledger is the chain, in ${orders} of them`, async () => {
    const broken: string[] = [];
    for (let seed = 1; seed <= orders; seed++) {
      const guarantee = await runOrder(seed);
      if (guarantee !== undefined) broken.push(`${seed}: ${guarantee}`);
    }
    assert.deepEqual(broken, []);
  });

  for (const damage of ['no locks', 'keeps nothing'] as const)
    it(`catches a browser with the damage "${damage}"`, async () => {
      for (let seed = 1; seed <= ordersPerDamage; seed++) if ((await runOrder(seed, damage)) !== undefined) return;
      assert.fail(`not in ${ordersPerDamage} orders`);
    });
});
