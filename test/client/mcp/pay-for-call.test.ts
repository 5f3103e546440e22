import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createBudget } from '../../../src/client/mcp/budget.js';
import { payForCall, type Wallet } from '../../../src/client/mcp/pay-for-call.js';
import { choosePayer } from '../../../src/client/payments/choose-payer.js';
import { paymentIdOf } from '../../../src/client/payments/payment-id.js';
import { decodeBase64Json } from '../../../src/client/wire/base64-json.js';
import type { PaymentPayload } from '../../../src/payments/gate/read-payment.js';
import { asksForProof, sentElsewhere } from '../mock-server.js';
import { createPurchaseError, UnexpectedAnswerError } from '../../../src/client/error-classes.js';
import { PurchaseError } from '../../../src/client/payments/purchase-error.js';

const price = 50_000n;
const offer = {
  x402Version: 2,
  error: 'Payment required',
  resource: { url: 'mcp://tool/deals' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:31337',
      amount: String(price),
      asset: '0x7e57000000000000000000000000000000000001',
      payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      maxTimeoutSeconds: 300,
      extra: { name: 'Demonstration USD Coin', version: '1' },
    },
  ],
  reason: 'payment_required',
  payment: 'none',
  errors: [],
};
const refusal = (content: object) => ({ isError: true, structuredContent: content });
const asked = refusal(offer);
const sold = { structuredContent: { data: [] } };
const unknown = refusal({
  reason: 'settlement_unknown',
  payment: 'unknown',
  retryable: true,
  retry_same_payment: true,
});
const failed = refusal({ ...offer, reason: 'settlement_failed', payment: 'not_settled' });
const used = refusal({ ...offer, reason: 'payment_already_used', payment: 'settled' });
/** Somebody else has sent the payment of this id. */
const elsewhere = (paymentId: string) =>
  refusal({
    ...(asksForProof(baseUrl, paymentId, undefined, sentElsewhere) as { body: object }).body,
    next: [`/api/payments/${paymentId}`, '/api/lookup'].map((url) => ({ title: '', url })),
  });
const lost = 'lost' as const;
/** Endless. */
const large = 'large' as const;
/** Not in the service's format, such as a proxy's refusal. */
const strange = 'strange' as const;

const baseUrl = 'https://deals.example.com';

let now = new Date('2026-11-22T12:00:00.000Z');
const clock = (): Date => now;

/** A wallet with budget for one call, and a scripted server that repeats its last answer. */
function createCounter(
  script: readonly (object | typeof elsewhere | typeof lost | typeof strange | typeof large)[],
  budget = createBudget(price, clock),
) {
  const payments: unknown[] = [];
  /** What was sent over HTTP. */
  const sent: { readonly path: string; readonly headers: object }[] = [];
  let calls = 0;
  const wallet: Wallet = {
    payerOf: (each) => choosePayer(each, undefined),
    maxPriceAtomic: 100_000n,
    budget,
    now: clock,
    randomBytes,
  };
  const run = () =>
    payForCall(
      {
        baseUrl,
        async send(path, headers = {}) {
          sent.push({ path, headers });
          return undefined;
        },
        async ask(_method, params) {
          const payment = (params?.['_meta'] as Record<string, unknown> | undefined)?.['x402/payment'];
          if (payment !== undefined) payments.push(payment);
          const answer = script[Math.min(calls++, script.length - 1)];
          if (answer === lost) throw createPurchaseError('server_unreachable', 'The server does not answer.');
          if (answer === large) throw createPurchaseError('reply_too_large', 'The answer is too large.');
          if (answer === strange) throw createPurchaseError('unexpected_answer', 'The answer was 403.');
          return (answer === elsewhere ? elsewhere(idOf(payment)) : answer) as Record<string, unknown>;
        },
      },
      { name: 'lookup', arguments: { address: '1 Main St, Dayton, OH' } },
      wallet,
      { maxAttempts: 4, sleep: async () => undefined },
    );
  return { run, payments, sent, budget };
}

/** The public id of a presented payment. */
function idOf(payment: unknown): string {
  const { accepted, payload } = payment as PaymentPayload;
  const { from: payer, nonce } = payload.authorization;
  return paymentIdOf({ ...accepted, payer, nonce });
}

describe('paying for a tool call', () => {
  it('waits as told for the first publication of the feed, then pays', async () => {
    const notYet = {
      ...refusal({ reason: 'not_yet_published', payment: 'none', errors: [] }),
      _meta: { 'retry-after': 5 },
    };
    const counter = createCounter([notYet, notYet, asked, sold]);
    assert.deepEqual([await counter.run(), counter.payments.length], [sold, 1]);
    const never = createCounter([notYet]);
    assert.deepEqual([await never.run(), never.payments.length], [notYet, 0]);
  });

  it('signs once, and presents that payment until the outcome is clear', async () => {
    const { run, payments, budget } = createCounter([asked, unknown, lost, unknown, sold]);
    assert.deepEqual(await run(), sold);
    assert.equal(payments.length, 4);
    assert.equal(new Set(payments.map((each) => JSON.stringify(each))).size, 1);
    assert.equal(budget.left(), 0n);
  });

  it('returns an unpaid amount to the budget when it can no longer be charged', async () => {
    const { run, budget } = createCounter([asked, failed]);
    assert.deepEqual(await run(), failed);
    now = new Date(now.getTime() + 359_999);
    assert.equal(budget.left(), 0n);
    now = new Date(now.getTime() + 1);
    assert.equal(budget.left(), price);
  });

  it('keeps the amount reserved when it may have been charged', async () => {
    for (const script of [
      [asked, unknown],
      [asked, lost, failed],
      [asked, used],
      [asked, unknown, failed],
    ]) {
      const { run, budget } = createCounter(script);
      await run();
      assert.equal(budget.left(), 0n);
    }
    for (const script of [
      [asked, lost],
      [asked, strange],
      [asked, lost, strange],
    ]) {
      const { run, payments, budget } = createCounter(script);
      await assert.rejects(run(), (error) => {
        assert.ok(error instanceof PurchaseError);
        return error.reason === 'outcome_unknown' && error.context.payment === 'unknown';
      });
      assert.equal(new Set(payments.map((each) => JSON.stringify(each))).size, 1);
      assert.equal(budget.left(), 0n);
    }
  });

  it('presents no payment again whose answer is too large, names it, and keeps its amount reserved', async () => {
    const { run, payments, budget } = createCounter([asked, large]);
    await assert.rejects(run(), (error) => {
      assert.ok(error instanceof UnexpectedAnswerError);
      assert.match(error.context.paymentId ?? '', /^0x[0-9a-f]{64}$/);
      return error.reason === 'reply_too_large' && error.context.payment === 'unknown';
    });
    assert.deepEqual([payments.length, budget.left()], [1, 0n]);
  });

  it('proves over HTTP what somebody else has sent, once, and shows what the same payment has bought', async () => {
    const { run, payments, sent, budget } = createCounter([asked, elsewhere, sold]);
    assert.deepEqual(await run(), sold);
    assert.equal(new Set(payments.map((each) => JSON.stringify(each))).size, 1);
    const [{ path, headers } = { path: '', headers: {} }, ...others] = sent;
    assert.deepEqual([path, others.length], ['/api/lookup?address=1%20Main%20St%2C%20Dayton%2C%20OH', 0]);
    const [payment, proof] = ['PAYMENT-SIGNATURE', 'SIGN-IN-WITH-X'].map((name) =>
      decodeBase64Json(String(Reflect.get(headers, name))),
    );
    assert.deepEqual(payment, payments[0]);
    assert.match(JSON.stringify(proof), new RegExp(`/api/payments/${idOf(payment)}/response`));
    assert.equal(budget.left(), 0n);
  });

  it('stops where its proof is refused, and keeps the amount reserved', async () => {
    const { run, payments, sent, budget } = createCounter([asked, elsewhere]);
    assert.equal((await run())['isError'], true);
    assert.deepEqual([payments.length, sent.length, budget.left()], [2, 1, 0n]);
  });

  it('never spends more than the budget, for any number of concurrent calls', async () => {
    const budget = createBudget(3n * price + 1n, clock);
    const counters = Array.from({ length: 8 }, () => createCounter([asked, sold], budget));
    const outcomes = await Promise.allSettled(counters.map(({ run }) => run()));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3);
    assert.equal(counters.flatMap(({ payments }) => payments).length, 3);
    assert.equal(budget.left(), 1n);
  });

  it('signs nothing above the limit, nor in an unknown token', async () => {
    const [accepted] = offer.accepts;
    for (const change of [{ amount: '100001' }, { asset: '0x0000000000000000000000000000000000000001' }]) {
      const other = refusal({ ...offer, accepts: [{ ...accepted, ...change }] });
      const { run, payments, budget } = createCounter([other, sold], createBudget(10_000_000n, clock));
      await assert.rejects(run(), PurchaseError);
      assert.deepEqual([payments, budget.left()], [[], 10_000_000n]);
    }
  });
});
