import assert from 'node:assert/strict';
import type { TestAccount } from '../../../src/payments/chain/well-known-accounts.js';
import { createAccount } from '../../support/chain.js';
import { openTestInstances, type TestInstances } from '../../support/database.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, type Shop } from '../shop.js';

const path = '/api/deals/hot';
const poor = { outcome: 'failed', reason: 'insufficient_funds', detail: 'The payer is poor.' } as const;

describe('two payments of a payer that holds enough for one', () => {
  let instances: TestInstances;
  let shop: Shop;
  let twin: Shop;
  let signer: TestAccount;

  before(async () => {
    instances = await openTestInstances(2);
    const [first, second] = instances.databases;
    assert.ok(first && second);
    shop = await openShop({ database: first });
    twin = await openShop({ database: second, dataDirectory: shop.app.config.dataDirectory });
  });
  beforeEach(async () => {
    signer = createAccount();
    const [{ amount = '0' } = {}] = await priceOf();
    await shop.chain.fund(signer.address, BigInt(amount));
  });
  afterEach(() => {
    shop.mend();
    twin.mend();
  });
  after(async () => {
    await shop?.close();
    await twin?.app.stop();
    await instances.close();
  });

  /** For both instances, whose addresses differ. */
  const sign = () => shop.sign(path, { signer, alter: ({ resource: _, ...payload }) => payload });

  async function priceOf(): Promise<{ readonly amount: string }[]> {
    const body = (await (await fetch(shop.app.url + path)).json()) as { readonly accepts: { amount: string }[] };
    return body.accepts;
  }

  async function assertOneSold(answers: readonly Answer[]): Promise<void> {
    const [sold, refused] = [...answers].sort((one, other) => one.status - other.status);
    assert.ok(sold && refused);
    assertPaid(sold);
    assertRefused(refused, 402, 'payment_invalid', 'insufficient_funds');
    assert.equal(await failures(), 0);
  }

  async function failures(): Promise<number> {
    return (await shop.app.database.knex('payments').whereNotNull('failed_at')).length;
  }

  /** The first is paid and held until the second has claimed in vain; then `settle` decides on the first. */
  async function payApart(second: Shop, settle = shop.real.settler.settle): Promise<[Answer, Answer]> {
    const headers = await Promise.all([sign(), sign()]);
    let goOn = (): void => undefined;
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    let claimed = (): void => undefined;
    const begun = new Promise<void>((resolve) => (claimed = resolve));
    shop.faults.settler.settle = async (authorization, attempt) => {
      shop.faults.settler = {};
      claimed();
      await waits;
      return settle(authorization, attempt);
    };
    const first = shop.pay(path, headers[0]);
    await begun;
    second.faults.ledger.listInFlight = async (claim) => {
      second.faults.ledger = {};
      const inFlight = await second.real.ledger.listInFlight(claim);
      goOn();
      return inFlight;
    };
    const answer = await second.pay(path, headers[1]).finally(goOn);
    return [await first, answer];
  }

  it('at once are one sale, and nothing fails on the chain', async () => {
    const headers = await Promise.all([sign(), sign()]);
    await assertOneSold(await Promise.all(headers.map((header) => shop.pay(path, header))));
  });

  it('a block apart are one sale: the second waits for the first, and the chain refuses it unsent', async () => {
    await assertOneSold(await payApart(shop));
  });

  it('a block apart at two instances are one sale', async () => {
    await assertOneSold(await payApart(twin));
  });

  it('are one sale also where the first fails: then the second buys', async () => {
    const [first, second] = await payApart(shop, async () => poor);
    assertRefused(first, 402, 'settlement_failed', 'insufficient_funds');
    assertPaid(second);
  });

  it('at once at two instances are one sale, and one failed transfer of each instance at most', async () => {
    const headers = await Promise.all([sign(), sign()]);
    const answers = await Promise.all([shop.pay(path, headers[0]), twin.pay(path, headers[1])]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 402]);
    assert.ok((await failures()) <= 1);
  });
});
