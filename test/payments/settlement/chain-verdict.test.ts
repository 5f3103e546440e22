import assert from 'node:assert/strict';
import { payerFailed } from '../../../src/payments/payment-errors.js';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { TestAccount } from '../../../src/payments/chain/well-known-accounts.js';
import { assertPaid, assertRefused } from '../answer.js';
import { authorizationIn, openShop, type Shop } from '../shop.js';
import { payWithProof } from '../sign-in.js';

const path = '/api/deals/hot';
const price = 20_000n;
const stranger = '0x00000000000000000000000000000000000e15e0';

describe("the chain's own verdict on a payment", () => {
  let shop: Shop;

  before(async () => {
    shop = await openShop();
  });
  afterEach(() => shop.mend());
  after(() => shop.close());

  function newPayer(): TestAccount {
    const privateKey = generatePrivateKey();
    return { address: privateKeyToAccount(privateKey).address, privateKey };
  }

  /** Refused before the handler runs, with nothing written. */
  async function assertTurnedAway(header: string, reason: string, error: string): Promise<void> {
    const runs = shop.handlerRuns();
    assertRefused(await shop.pay(path, header), 402, reason, error);
    assert.equal(shop.handlerRuns(), runs, 'the handler must not run');
    assert.equal(await shop.rowOf(header), undefined);
  }

  /** Refused also with its payer's proof, before the handler runs, with nothing written. */
  async function assertBoughtNothing(header: string): Promise<void> {
    const runs = shop.handlerRuns();
    const answer = await payWithProof(shop, path, header);
    assertRefused(answer, 402, 'payment_already_used', 'invalid_transaction_state');
    assert.equal(shop.handlerRuns(), runs, 'the handler must not run');
    assert.equal(await shop.rowOf(header), undefined);
  }

  it('turns a payer without funds away, and takes the very same payment once there are some', async () => {
    const signer = newPayer();
    const header = await shop.sign(path, { signer });
    await assertTurnedAway(header, 'payment_invalid', 'insufficient_funds');
    await shop.chain.fund(signer.address, price - 1n);
    await assertTurnedAway(header, 'payment_invalid', 'insufficient_funds');
    await shop.chain.fund(signer.address, 1n);
    assertPaid(await shop.pay(path, header));
  });

  it('sells once to a payer who signs twice at once with funds for one', async () => {
    const signer = newPayer();
    await shop.chain.fund(signer.address, price);
    const headers = [await shop.sign(path, { signer }), await shop.sign(path, { signer })];
    const answers = await Promise.all(headers.map((header) => shop.pay(path, header)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 402]);
  });

  it('tells a payer whose funds went away before the settlement that it failed, without data', async () => {
    const signer = newPayer();
    await shop.chain.fund(signer.address, price);
    const [header, faster] = [await shop.sign(path, { signer }), await shop.sign(path, { signer })];
    shop.faults.settler.settle = async (authorization, attempt) => {
      await shop.chain.submitElsewhere(shop.authorizationOf(faster));
      return shop.real.settler.settle(authorization, attempt);
    };
    const answer = await shop.pay(path, header);
    assertRefused(answer, 402, 'settlement_failed', 'insufficient_funds');
    assert.equal(answer.settlement?.success, false);
    assert.equal((await shop.rowOf(header))?.state, 'released');
    shop.mend();
    // The money of the faster one is here, and buys what it was signed for.
    assertPaid(await payWithProof(shop, path, faster, { signer }));
  });

  it('turns a nonce away that was spent on somebody else', async () => {
    const header = await shop.sign(path);
    const { nonce } = authorizationIn(header);
    await shop.chain.submitElsewhere(await shop.chain.signAuthorization({ nonce, to: stranger, value: price }));
    await assertBoughtNothing(header);
  });

  it('turns a nonce away that has brought us less than the price', async () => {
    const header = await shop.sign(path);
    const { nonce } = authorizationIn(header);
    await shop.chain.submitElsewhere(await shop.chain.signAuthorization({ nonce, value: 1n }));
    shop.expectUnsold(1n);
    await assertBoughtNothing(header);
  });

  it('turns a nonce away that its payer has cancelled', async () => {
    const header = await shop.sign(path);
    await shop.chain.cancelElsewhere(authorizationIn(header).nonce);
    await assertBoughtNothing(header);
  });

  it('turns everybody away while the token is paused, and takes the very same payment afterwards', async () => {
    const header = await shop.sign(path);
    await shop.chain.setPaused(true);
    await assertTurnedAway(header, 'payment_invalid', 'invalid_transaction_state');
    await shop.chain.setPaused(false);
    assertPaid(await shop.pay(path, header));
  });

  it('turns a payer away whom the token has blocked', async () => {
    const signer = newPayer();
    await shop.chain.fund(signer.address);
    await shop.chain.setBlacklisted(signer.address, true);
    await assertTurnedAway(await shop.sign(path, { signer }), 'payment_invalid', 'invalid_transaction_state');
    await shop.chain.setBlacklisted(signer.address, false);
    assertPaid(await shop.pay(path, await shop.sign(path, { signer })));
  });

  it('never sends again what failed on the chain, and refuses a payer whose transfers failed twice in a day', async () => {
    const signer = newPayer();
    await shop.chain.fund(signer.address);
    const failing = await Promise.all([1, 2].map(() => shop.sign(path, { signer })));
    shop.faults.settler.settle = async (authorization, attempt) => {
      await shop.chain.setPaused(true);
      return shop.real.settler.settle(authorization, attempt);
    };
    for (const header of failing) {
      assertRefused(await shop.pay(path, header), 402, 'settlement_failed', 'invalid_transaction_state');
      await shop.chain.setPaused(false);
      assert.ok(((await shop.rowOf(header))?.failure?.gas ?? 0n) > 21_000n);
    }
    shop.mend();
    for (const header of failing) {
      assertRefused(await shop.pay(path, header), 402, 'settlement_failed', 'invalid_transaction_state');
      assert.equal(await shop.settlementsOf(header), 0);
    }
    const fresh = await shop.pay(path, await shop.sign(path, { signer }));
    assertRefused(fresh, 402, 'payment_invalid', 'invalid_transaction_state');
    assert.match(
      String(fresh.problem?.detail),
      /^Two transfers of this account failed on chain\. Pay from another, or after 20[^ ]+Z\.$/,
    );
    assert.equal(
      payerFailed(new Date(0), true).message,
      'A transfer of this account failed on chain. Pay from an account without code, or after 1970-01-01T00:00:00.000Z.',
    );
    assertPaid(await shop.pay(path, await shop.sign(path)));
  });

  it("gives the data of a failed payment to its payer's proof where somebody else has sent it meanwhile", async () => {
    const header = await shop.sign(path);
    shop.faults.settler.settle = async (authorization, attempt) => {
      await shop.chain.setPaused(true);
      return shop.real.settler.settle(authorization, attempt);
    };
    assertRefused(await shop.pay(path, header), 402, 'settlement_failed', 'invalid_transaction_state');
    await shop.chain.setPaused(false);
    shop.mend();
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    assertPaid(await payWithProof(shop, path, header));
    assert.equal(await shop.settlementsOf(header), 1);
  });
});
