import assert from 'node:assert/strict';
import { assertPaid, assertRefused, type Answer } from '../payments/answer.js';
import { openShop, type Shop } from '../payments/shop.js';
import { createAccount } from '../support/chain.js';
import { deep } from '../support/depth.js';
import { openTestInstances, type TestInstances } from '../support/database.js';

const path = '/api/deals/hot';

describe('payment', () => {
  let instances: TestInstances;
  let shop: Shop;
  let twin: Shop;

  before(async () => {
    instances = await openTestInstances(2);
    const [first, second] = instances.databases;
    assert.ok(first && second);
    shop = await openShop({ database: first });
    twin = await openShop({ database: second, dataDirectory: shop.app.config.dataDirectory });
  });
  afterEach(() => {
    shop.mend();
    twin.mend();
  });
  after(async () => {
    await shop.close();
    await twin.app.stop();
    await instances.close();
  });

  /** Both instances block their settlements until the given number of claims was refused, or one was made, at each. */
  function holdSettlements(): { goOn: () => void } {
    let goOn = (): void => undefined;
    const free = new Promise<void>((resolve) => (goOn = resolve));
    for (const each of [shop, twin]) {
      each.faults.settler.settle = async (authorization, attempt) => {
        await free;
        return each.real.settler.settle(authorization, attempt);
      };
    }
    return { goOn };
  }

  /**
   * Sends copies of one payment. The settlement continues when all but one are answered. Returns the sorted statuses.
   */
  async function payCopies(header: string, count: number, at: (index: number) => Shop): Promise<Answer[]> {
    const { goOn } = holdSettlements();
    let answered = 0;
    const copies = Array.from({ length: count }, async (_, index) => {
      const answer = await at(index).pay(path, header);
      if (++answered === count - 1) goOn();
      return answer;
    });
    const answers = await Promise.all(copies);
    return answers.sort((one, other) => one.status - other.status);
  }

  async function assertSoldOnce(header: string, [sold, ...others]: Answer[]): Promise<void> {
    assert.ok(sold);
    assertPaid(sold);
    for (const other of others) {
      assertRefused(other, 409, 'payment_in_progress');
      assert.equal(other.problem?.retry_same_payment, true);
    }
    assert.equal(await shop.settlementsOf(header), 1);
    assert.equal((await shop.rowOf(header))?.state, 'settled');
  }

  for (const count of [5, deep(200, 60)]) {
    it(`sells once to ${count} concurrent copies of a payment: one settlement, 409 for the others`, async () => {
      const header = await shop.sign(path);
      await assertSoldOnce(header, await payCopies(header, count, () => shop));
    });

    it(`sells once to ${count} concurrent copies of a payment on two instances over one database`, async () => {
      const header = await shop.sign(path, { alter: ({ resource: _, ...payload }) => payload });
      await assertSoldOnce(header, await payCopies(header, count, (index) => (index % 2 === 0 ? shop : twin)));
    });
  }

  it('sells twenty concurrent payments of a known payer, each settled once, with shared transactions', async () => {
    assertPaid(await shop.pay(path, await shop.sign(path)));
    await shop.knowPayers();
    const headers = await Promise.all(Array.from({ length: 20 }, () => shop.sign(path)));
    const answers = await Promise.all(headers.map((header) => shop.pay(path, header)));
    for (const answer of answers) assertPaid(answer);
    const transactions = new Set(answers.map(({ settlement }) => settlement?.transaction));
    assert.ok(transactions.size < 20);
    const settlements = await Promise.all(headers.map((header) => shop.settlementsOf(header)));
    assert.deepEqual(new Set(settlements), new Set([1]));
  });

  it('settles each payment of a newcomer in a transaction of its own', async () => {
    const signer = createAccount();
    await shop.chain.fund(signer.address);
    const headers = await Promise.all(Array.from({ length: 5 }, () => shop.sign(path, { signer })));
    const answers = await Promise.all(headers.map((header) => shop.pay(path, header)));
    for (const answer of answers) assertPaid(answer);
    assert.equal(new Set(answers.map(({ settlement }) => settlement?.transaction)).size, 5);
  });

  it('knows on one instance what the other has sold', async () => {
    const header = await shop.sign(path, { alter: ({ resource: _, ...payload }) => payload });
    assertPaid(await shop.pay(path, header));
    await shop.app.selling.deliveries.flush();
    assertRefused(await twin.pay(path, header), 402, 'payment_already_used');
  });

  it('delivers on one instance what the other could not finish', async () => {
    const header = await shop.sign(path, { alter: ({ resource: _, ...payload }) => payload });
    shop.faults.settler.settle = async (authorization, attempt) => {
      await shop.real.settler.settle(authorization, attempt);
      return { outcome: 'unknown', detail: 'the answer was lost' };
    };
    assertRefused(await shop.pay(path, header), 503, 'settlement_unknown');
    assertPaid(await twin.pay(path, header));
    assert.equal(await twin.settlementsOf(header), 1);
    await twin.app.selling.deliveries.flush();
    assertRefused(await shop.pay(path, header), 402, 'payment_already_used');
  });

  it('sells nothing stale: when a new version is published between the page and the claim, the page is made again', async () => {
    const header = await shop.sign(path);
    const { version } = shop.app.feeds.deals.current();
    await shop.moveFeed();
    const runs = shop.handlerRuns();
    const answer = await shop.pay(path, header);
    assertPaid(answer);
    assert.equal(answer.headers.get('Feed-Version'), String(version + 1));
    assert.equal(shop.handlerRuns(), runs + 2);
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('sells nothing while versions are published faster than pages are made, and keeps the payment valid', async () => {
    const header = await shop.sign(path);
    shop.faults.ledger.claim = async () => ({ kind: 'stale' });
    assertRefused(await shop.pay(path, header), 503, 'temporarily_unavailable');
    assert.equal(await shop.settlementsOf(header), 0);
    shop.mend();
    assertPaid(await shop.pay(path, header));
  });
});
