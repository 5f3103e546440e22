import assert from 'node:assert/strict';
import { bytesToHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Account, DealsClientOptions } from '../../src/client/deals-client.js';
import { OutcomeUnknownError } from '../../src/client/error-classes.js';
import { paymentIdOf } from '../../src/client/payments/payment-id.js';
import { createDealsClient } from '../../src/client/create-deals-client.js';
import { createBudget } from '../../src/client/mcp/budget.js';
import { payForCall, type CallParams } from '../../src/client/mcp/pay-for-call.js';
import { createToolLink, paymentKey } from '../../src/client/mcp/tool-link.js';
import { openShop, type Shop } from '../payments/shop.js';
import { encodePayment } from '../support/pay.js';
import { account, deals, failureOf, withBuyer, type Buyer } from './buyer.js';
import {
  asksForProof,
  localToken,
  priced,
  problem,
  requirementOf,
  sentElsewhere,
  sold,
  unknown,
  type Answer,
} from './mock-server.js';

const randomBytes = (length: number) => new Uint8Array(length).fill(7);
const nonce = bytesToHex(randomBytes(32));
const paymentId = paymentIdOf({ network: 'eip155:31337', asset: localToken, payer: account.address, nonce });
const unknownPayment = problem(404, 'unknown_payment');

/** An account that counts the messages that it signs. */
function createSigner() {
  const messages: string[] = [];
  const signer: Account = {
    address: account.address,
    signTypedData: account.signTypedData,
    async signMessage({ message }) {
      messages.push(message);
      return account.signMessage({ message });
    },
  };
  return { messages, signer };
}

/** A server that asks for a proof of the first payment that is presented, and then answers so. */
function withService(before: readonly Answer[], after: readonly Answer[], use: (service: Service) => Promise<void>) {
  const script = [...before];
  return withBuyer(script, async (buyer) => {
    const { messages, signer } = createSigner();
    const asks = asksForProof(buyer.server.url, paymentId, undefined, sentElsewhere);
    script.push(asks, ...after.map((each) => (each === again ? asks : each)));
    const open = (options: Partial<DealsClientOptions> = {}) =>
      buyer.open({ account: signer, randomBytes, ...options });
    const proofs = () => buyer.server.requests.flatMap(({ headers }) => headers['sign-in-with-x'] ?? []);
    await use({ ...buyer, open, messages, proofs });
  });
}

interface Service extends Buyer {
  readonly messages: readonly string[];
  /** The presented proofs, in order. */
  proofs(): readonly (string | string[])[];
}

/** The challenge once more. */
const again: Answer = { status: 402 };

describe('a deals client whose payment somebody else has sent', () => {
  it('signs the challenge once, and sends the same request with the same payment', () =>
    withService([priced()], [sold(deals)], async ({ open, server, messages, proofs, signed, presented }) => {
      const answer = await open().deals({ state: 'OH' });
      assert.deepEqual([answer.data, answer.paid?.paymentId], [deals, paymentId]);
      assert.deepEqual([signed(), presented(), proofs().length, messages.length], [1, 2, 1, 1]);
      assert.deepEqual(new Set(server.requests.map(({ url }) => url)), new Set(['/api/deals?state=OH']));
      assert.match(messages.join(), new RegExp(`/api/payments/${paymentId}/response`));
    }));

  it('keeps its proof while the outcome stays open', () =>
    withService([priced()], [unknown, sold(deals)], async ({ open, messages, proofs, presented }) => {
      assert.deepEqual((await open().deals()).data, deals);
      assert.deepEqual([presented(), proofs().length, messages.length], [3, 2, 1]);
    }));

  it('stops when its proof is refused, and keeps the payment', () =>
    withService([priced()], [again, sold(deals)], async ({ open, messages, signed, presented }) => {
      const client = open();
      const error = await failureOf(client.deals());
      assert.ok(error instanceof OutcomeUnknownError);
      assert.deepEqual([error.reason, error.context.paymentId], ['payment_already_used', paymentId]);
      assert.deepEqual([signed(), presented(), messages.length], [1, 2, 1]);
      assert.deepEqual(
        (await client.spending()).open.map((each) => each.paymentId),
        [paymentId],
      );
      assert.deepEqual((await client.deals()).data, deals);
      assert.equal(signed(), 1);
    }));

  it('signs no proof for the payment of another account, nor without a way to sign one', () =>
    withService([priced(), 'hang_up', 'hang_up'], [again, again], async ({ open, proofs, signed, presented }) => {
      await failureOf(open().deals());
      const other = privateKeyToAccount(generatePrivateKey());
      const { address, signTypedData } = account;
      for (const each of [other, { address, signTypedData }]) {
        const error = await failureOf(open({ account: each }).deals());
        assert.deepEqual([error.reason, error.context.payment], ['payment_already_used', 'unknown']);
      }
      assert.deepEqual([signed(), presented(), proofs()], [1, 4, []]);
    }));

  it('signs no challenge for another payment, for another site, or with a price', async () => {
    const { messages, signer } = createSigner();
    for (const [site, id, accepts, reason] of [
      ['', `0x${'cd'.repeat(32)}`, [], 'challenge_unreadable'],
      ['https://elsewhere.example', paymentId, [], 'challenge_unreadable'],
      ['', paymentId, [requirementOf()], 'payment_already_used'],
    ] as const) {
      const script = [priced()];
      await withBuyer(script, async ({ open, server, signed, presented }) => {
        const asks = asksForProof(site || server.url, id, undefined, sentElsewhere);
        assert.ok(asks !== 'hang_up');
        script.push({ status: 402, body: { ...(asks.body as object), accepts } });
        const error = await failureOf(open({ account: signer, randomBytes }).deals());
        assert.deepEqual([error.reason, error.context.payment], [reason, 'unknown']);
        assert.deepEqual([signed(), presented(), messages], [1, 1, []]);
      });
    }
  });

  it('gets what the ledger has lost, also after its window, instead of paying again', () =>
    withService(
      [priced(), 'hang_up', 'hang_up', unknownPayment],
      [sold(deals)],
      async ({ open, advance, messages, signed }) => {
        await failureOf(open().deals());
        advance(361);
        assert.deepEqual((await open().deals()).data, deals);
        assert.deepEqual([signed(), messages.length], [1, 1]);
      },
    ));

  it('signs none while the server does not know whether the first was used', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', unknownPayment, unknown], async ({ open, advance, signed }) => {
      await failureOf(open().deals());
      advance(361);
      assert.ok((await failureOf(open().deals())) instanceof OutcomeUnknownError);
      assert.equal(signed(), 1);
    }));
});

describe('a payment that somebody sends while it is on its way', () => {
  let shop: Shop;
  let payments: string[];
  before(async () => {
    shop = await openShop();
  });
  beforeEach(() => (payments = []));
  after(() => shop.close());

  /** Sends each new payment to the chain before it reaches the service. */
  async function overtake(payment: string): Promise<void> {
    if (payments.includes(payment)) return;
    payments.push(payment);
    await shop.chain.submitElsewhere(shop.authorizationOf(payment));
  }

  const overtaken: typeof fetch = async (...given) => {
    const request = new Request(...given);
    const header = request.headers.get('PAYMENT-SIGNATURE');
    const body = request.method === 'POST' ? ((await request.clone().json()) as { params?: CallParams }) : {};
    const payment = body.params?._meta?.[paymentKey];
    if (header !== null) await overtake(header);
    if (payment !== undefined) await overtake(encodePayment(payment));
    return fetch(request);
  };

  async function assertSoldOnce(): Promise<void> {
    const [payment = '', ...others] = payments;
    assert.deepEqual(others, []);
    assert.equal((await shop.rowOf(payment))?.state, 'settled');
    assert.equal(await shop.settlementsOf(payment), 1);
  }

  it('is the data for the client that signed it, paid once', async () => {
    const client = createDealsClient({ baseUrl: shop.app.url, account, fetch: overtaken });
    const { data, paid } = await client.deals({ state: 'OH' });
    assert.ok(data.length > 0);
    assert.equal(paid?.isRedelivered, false);
    await assertSoldOnce();
  });

  it('is the result of the tool for the bridge that signed it, paid once', async () => {
    const now = () => new Date();
    const link = createToolLink(shop.app.url, { fetch: overtaken });
    const wallet = {
      payerOf: () => account,
      maxPriceAtomic: 100_000n,
      budget: createBudget(100_000n, now),
      now,
      randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
    };
    const call = { name: 'lookup', arguments: { address: '1 Example Ave, Cleveland, OH 44105' } };
    const patience = { maxAttempts: 3, sleep: async () => undefined };
    const { isError, structuredContent } = await payForCall(link, call, wallet, patience);
    assert.notEqual(isError, true, JSON.stringify(structuredContent));
    await assertSoldOnce();
  });
});
