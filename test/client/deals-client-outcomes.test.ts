import assert from 'node:assert/strict';
import { AbortedError, OutcomeUnknownError } from '../../src/client/error-classes.js';
import { createMemoryStorage, type PaymentStorage } from '../../src/client/payments/payment-storage.js';
import { deals, failureOf, withBuyer } from './buyer.js';
import { priced, problem, sold, type Answer } from './mock-server.js';

const unknownPayment = problem(404, 'unknown_payment');
const expired = priced(undefined, { reason: 'payment_expired', payment: 'not_settled' });
const nothing = problem(404, 'no_records_match', { payment: 'not_settled' });
const settling = problem(503, 'settlement_unknown', { payment: 'unknown', retryable: true, retry_same_payment: true });
const busy = problem(429, 'rate_limited', { payment: 'not_settled', retryable: true });
const used = priced(undefined, { reason: 'payment_already_used', payment: 'settled' });
const state = (name: string): Answer => ({ status: 200, body: { state: name } });

describe('a deals client with an unknown outcome', () => {
  it('presents the same payment again at the next call, also after a restart', () =>
    withBuyer([priced(), settling, 'hang_up', sold(deals)], async (buyer) => {
      const error = await failureOf(buyer.open().deals());
      assert.ok(error instanceof OutcomeUnknownError);
      assert.match(error.context.paymentId ?? '', /^0x[0-9a-f]{64}$/);
      const answer = await buyer.open().deals();
      assert.deepEqual([answer.data, answer.paid?.paymentId], [deals, error.context.paymentId]);
      assert.equal(answer.paid?.isRedelivered, true);
      assert.deepEqual([buyer.signed(), buyer.presented()], [1, 3]);
    }));

  it('asks for the state of a payment before it signs another one', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', unknownPayment, expired, priced(), sold(deals)], async (buyer) => {
      const error = await failureOf(buyer.open().deals());
      buyer.advance(361);
      assert.deepEqual((await buyer.open().deals()).data, deals);
      assert.equal(buyer.server.requests[3]?.url, `/api/payments/${error.context.paymentId}`);
      assert.equal(buyer.signed(), 2);
    }));

  it('gets the charged reply, however late, instead of paying again', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', state('settled'), sold(deals)], async (buyer) => {
      await failureOf(buyer.open().deals());
      buyer.advance(86_000);
      assert.deepEqual((await buyer.open().deals()).data, deals);
      assert.equal(buyer.signed(), 1);
    }));

  it("presents it again while it is valid by the server's clock, which may be slow", () => {
    const unknown = problem(404, 'unknown_payment', {}, { Date: 'Fri, 20 Nov 2026 12:05:00 GMT' });
    return withBuyer([priced(), 'hang_up', 'hang_up', unknown, sold(deals)], async (buyer) => {
      const client = buyer.open();
      await failureOf(client.deals());
      buyer.advance(361);
      assert.deepEqual((await client.deals()).data, deals);
      assert.equal(buyer.signed(), 1);
    });
  });

  it('signs nothing while the state of the first payment is unknown', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', problem(503, 'temporarily_unavailable'), 'hang_up'], async (buyer) => {
      await failureOf(buyer.open().deals());
      buyer.advance(361);
      const client = buyer.open();
      for (let call = 1; call <= 2; call++) {
        const error = await failureOf(client.deals());
        assert.ok(error instanceof OutcomeUnknownError, error.reason);
      }
      assert.equal(buyer.signed(), 1);
    }));

  it('keeps a refused payment that an earlier, unanswered request may still carry', () =>
    withBuyer([priced(), 'hang_up', nothing, nothing, sold(deals)], async (buyer) => {
      const client = buyer.open();
      for (let call = 1; call <= 2; call++) {
        const error = await failureOf(client.deals());
        assert.deepEqual([error.reason, error instanceof OutcomeUnknownError], ['no_records_match', true]);
      }
      assert.deepEqual((await client.deals()).data, deals);
      assert.equal(buyer.signed(), 1);
    }));

  it('keeps a payment with an unknown outcome when it is refused afterwards', () =>
    withBuyer([priced(), settling, busy, sold(deals)], async (buyer) => {
      const error = await failureOf(buyer.open().deals());
      assert.ok(error instanceof OutcomeUnknownError);
      assert.equal((await buyer.open().spending()).open.length, 1);
      assert.deepEqual((await buyer.open().deals()).data, deals);
      assert.deepEqual([buyer.signed(), buyer.presented()], [1, 3]);
    }));

  it('buys again when a charged reply is no longer available', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', used, priced(), sold(deals)], async (buyer) => {
      const client = buyer.open();
      await failureOf(client.deals());
      const error = await failureOf(client.deals());
      assert.deepEqual([error.reason, error.context.payment], ['payment_already_used', 'settled']);
      assert.deepEqual((await client.deals()).data, deals);
      assert.equal((await client.spending()).lastDay, '0.10');
    }));

  it('pays once for each of two concurrent equal calls', () =>
    withBuyer([priced(), priced(), sold(deals)], async (buyer) => {
      const client = buyer.open();
      const answers = await Promise.all([client.deals(), client.deals()]);
      assert.equal(new Set(answers.map(({ paid }) => paid?.paymentId)).size, 2);
      assert.equal(buyer.signed(), 2);
    }));

  it('ends at once when aborted, and keeps the presented payment', () =>
    withBuyer([priced(), settling, sold(deals)], async (buyer) => {
      const controller = new AbortController();
      const sleep = () => {
        controller.abort();
        return new Promise<void>(() => undefined);
      };
      const error = await failureOf(buyer.open({ sleep }).deals({}, { signal: controller.signal }));
      assert.deepEqual([error instanceof AbortedError, error.context.payment], [true, 'unknown']);
      await assert.rejects(buyer.open({ signal: controller.signal }).deals(), AbortedError);
      assert.deepEqual((await buyer.open().deals()).data, deals);
      assert.deepEqual([buyer.signed(), buyer.presented()], [1, 2]);
    }));

  it('signs nothing when the payment cannot be reserved, and presents nothing when it cannot be stored', () =>
    withBuyer([priced()], async (buyer) => {
      for (const updates of [1, 2]) {
        const memory = createMemoryStorage();
        let left = updates;
        const storage: PaymentStorage = {
          update: async (change) => (left-- > 0 ? memory.update(change) : Promise.reject(new Error('disk full'))),
        };
        const error = await failureOf(buyer.open({ storage }).deals());
        assert.deepEqual([error.reason, buyer.presented()], ['storage_failed', 0]);
      }
    }));

  it('fails on unreadable payments instead of ignoring them', () =>
    withBuyer([priced()], async (buyer) => {
      await buyer.storage.update(() => '{"version":1,"payments":[{"url":7}]}');
      assert.equal((await failureOf(buyer.open().deals())).reason, 'storage_failed');
      assert.equal(buyer.server.requests.length, 0);
    }));

  it("returns the data even when the payment's end cannot be stored", () =>
    withBuyer([priced(), sold(deals), sold(deals)], async (buyer) => {
      let left = 3;
      const storage: PaymentStorage = {
        update: async (change) => (left-- > 0 ? buyer.storage.update(change) : Promise.reject(new Error('disk full'))),
      };
      assert.deepEqual((await buyer.open({ storage }).deals()).data, deals);
      assert.deepEqual((await buyer.open().deals()).data, deals);
      assert.equal(buyer.signed(), 1);
    }));
});
