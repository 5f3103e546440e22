import assert from 'node:assert/strict';
import { loadContract } from '../../../src/contract/load-contract.js';
import { createValidators } from '../../../src/contract/validators.js';
import type { ContractOperation } from '../../../src/contract/contract.js';
import { readPathValues } from '../../../src/contract/paths.js';
import { wholeBytes } from '../../../src/contract/rendered.js';
import { ServiceError } from '../../../src/errors.js';
import { fromAtomicUnits } from '../../../src/payments/chain/token-amount.js';
import { createDecode } from '../../../src/operations/decode.js';
import type { Decoded } from '../../../src/contract/paths.js';
import { createChallenges, type Challenge } from '../../../src/payments/gate/challenge.js';
import { createOperationGate, type OperationGate } from '../../../src/payments/gate/gate.js';
import { createRecall } from '../../../src/payments/gate/recall.js';
import { createClientIdHash, type PaymentPayload } from '../../../src/payments/gate/read-payment.js';
import { openPayerProof } from '../../../src/payments/status/payer-proof.js';
import type { PaidReply } from '../../../src/payments/payment-machine.js';
import { livePath } from '../../support/live-path.js';
import { encodePayment, signPayment } from '../../support/pay.js';
import { assertPaid, assertRefused } from '../answer.js';
import { openShop, payloadIn, type Shop } from '../shop.js';
import { signIn, type SignInRequest } from '../sign-in.js';
import { sliceOf } from '../../support/depth.js';

const contract = loadContract();
const validators = createValidators(contract);
const isPaymentPayload = validators.at<PaymentPayload>('#/components/schemas/PaymentPayload');
const priced = contract.operations.filter(({ priceUsd }) => priceUsd !== undefined);
/** Bearer-like: without a resource an authorization names no operation, and only the claim binds it. */
const withoutResource = ({ resource: _, ...payload }: Record<string, unknown>): unknown => payload;

describe('what a payment is bound to', () => {
  let shop: Shop;

  before(async () => {
    shop = await openShop();
  });
  afterEach(() => shop.mend());
  after(() => shop.close());

  describe('over HTTP', () => {
    it('is the query: another filter of the same operation gets nothing, before and after', async () => {
      const header = await shop.sign('/api/deals');
      assertPaid(await shop.pay('/api/deals?state=OH', header));
      for (const other of ['?state=IN', '', '?state=OH&min_score=1', '?limit=1'])
        assertRefused(await shop.pay(`/api/deals${other}`, header), 402, 'payment_already_used');
      assert.equal(await shop.settlementsOf(header), 1);
    });

    it('is not how the query is spelled', async () => {
      const header = await shop.sign('/api/deals');
      shop.faults.settler.settle = async () => ({ outcome: 'unknown', detail: 'the answer was lost' });
      assertRefused(await shop.pay('/api/deals?state=OH&min_price=100000', header), 503, 'settlement_unknown');
      shop.mend();
      assertPaid(await shop.pay('/api/deals?min_price=1e5&state=%4FH&', header));
    });

    it('is the operation: a payment for one path is refused on every other', async () => {
      for (const bought of priced) {
        for (const other of priced) {
          if (other === bought) continue;
          const header = await shop.sign(livePath(shop.app, bought.path));
          const answer = await shop.pay(livePath(shop.app, other.path), header);
          assert.equal(answer.status, 402, `${bought.path} for ${other.path}`);
          assert.equal(await shop.rowOf(header), undefined);
        }
      }
    });

    it('is the authorization and not its envelope: none of its spellings sells again', async () => {
      const path = '/api/deals/hot';
      const header = await shop.sign(path);
      assertPaid(await shop.pay(path, header));
      const payload = payloadIn(header);
      const { authorization, signature } = payload.payload;
      const upper = (hex: string): string => `0x${hex.slice(2).toUpperCase()}`;
      const v = Number.parseInt(signature.slice(130), 16);
      const inner = (changes: object) => ({ ...payload, payload: { ...payload.payload, ...changes } });
      const reverse = (object: object): object => Object.fromEntries(Object.entries(object).reverse());
      const spellings: unknown[] = [
        payload,
        reverse(payload),
        { ...reverse(payload), payload: reverse(payload.payload) },
        inner({ authorization: reverse(authorization) }),
        inner({ authorization: { ...authorization, nonce: upper(authorization.nonce) } }),
        inner({ authorization: { ...authorization, from: upper(authorization.from) } }),
        inner({ authorization: { ...authorization, from: authorization.from.toLowerCase() } }),
        inner({ authorization: { ...authorization, to: upper(authorization.to) } }),
        inner({ signature: upper(signature) }),
        inner({ signature: `${signature.slice(0, 130)}${(v - 27).toString(16).padStart(2, '0')}` }),
        { ...payload, extra: { anything: true } },
        { ...payload, extensions: { 'payment-identifier': { info: { id: 'x'.repeat(32) } } } },
        { ...payload, resource: { ...payload.resource, description: 'another text' } },
        { ...payload, resource: undefined },
        { ...payload, accepted: { ...payload.accepted, asset: upper(payload.accepted.asset) } },
        { ...payload, accepted: { ...payload.accepted, maxTimeoutSeconds: 1 } },
      ];
      for (const spelling of spellings) {
        const answer = await shop.pay(path, encodePayment(spelling));
        assert.equal(answer.status, 402, JSON.stringify(spelling));
      }
      assertRefused(await shop.pay(path, encodePayment(payload)), 402, 'payment_already_used');
      assert.equal(await shop.settlementsOf(header), 1);
    });

    it('is one sale for ever: neither a year nor another signature of the same nonce sells again', async () => {
      const path = '/api/deals/hot';
      const header = await shop.sign(path);
      assertPaid(await shop.pay(path, header));
      const { nonce } = payloadIn(header).payload.authorization;
      assertRefused(await shop.pay(path, await shop.sign(path, { nonce })), 402, 'payment_already_used');
      shop.advance(366 * 86_400);
      assertRefused(await shop.pay(path, header), 402, 'payment_already_used');
    });
  });

  describe('among operations of one price, and over a change of prices', () => {
    const [first, second] = priced;
    const feed = { name: 'deals', version: 0 };
    assert.ok(first && second);

    interface Counter extends OperationGate {
      /** A request that it can answer. */
      readonly asked: Decoded;
      readonly offer: Challenge['members'];
    }

    function gateOf(operation: ContractOperation, amount: bigint): Counter {
      const { app } = shop;
      const decode = createDecode(operation, validators);
      const [path = '', query = ''] = livePath(app, operation.path).split('?');
      const asked = decode(query, readPathValues(operation.path, path) ?? {});
      const ports = {
        ...contract,
        publicBaseUrl: app.url,
        issuer: app.selling.issuer,
        now: app.now,
        elapsedMs: () => 0,
      };
      const assertPayer = openPayerProof({ ...ports, payments: app.selling, validators, secrets: ['secret'] });
      const gate = createOperationGate(operation, fromAtomicUnits(amount), decode, {
        ...app.selling,
        publicBaseUrl: app.url,
        challenges: createChallenges(ports),
        hashClientId: createClientIdHash('secret'),
        isPaymentPayload,
        recall: createRecall({ ...app.selling, assertPayer, now: app.now }),
        now: app.now,
      });
      return { ...gate, asked, offer: gate.challenge(asked).members };
    }

    async function buyAt(
      gate: Counter,
      header: string,
      text: string,
      walletProofs: readonly string[] = [],
    ): Promise<PaidReply> {
      const request = { paymentSignatures: [header], walletProofs, headOnly: false, address: '192.0.2.1' };
      const admission = await gate.admit(request, gate.asked);
      if (admission.kind === 'redelivered') return admission.reply;
      assert.ok(admission.kind === 'admitted');
      const reply = {
        headers: { ETag: text },
        body: wholeBytes(Buffer.from(text)),
        feed: { ...feed, version: shop.app.feeds.deals.current().version },
      };
      const charged = await shop.app.selling.machine.charge(admission.payment, reply);
      admission.call.end();
      if ('error' in charged) throw charged.error;
      assert.ok(charged.outcome === 'settled');
      return charged.reply;
    }

    const refusedWith = (reason: string) => (error: unknown) => {
      assert.ok(error instanceof ServiceError, String(error));
      assert.equal(error.reason, reason);
      return true;
    };

    it('is each operation, also where two cost the same', async () => {
      const pairs = priced.flatMap((a) => priced.filter((b) => b !== a).map((b) => [a, b] as const));
      for (const [one, other] of sliceOf(pairs, 10)) {
        const [here, there] = [gateOf(one, 10_000n), gateOf(other, 10_000n)];
        const header = await signPayment(here.offer, { alter: withoutResource });
        await buyAt(here, header, `paid for ${one.operationId}`);
        await assert.rejects(buyAt(there, header, 'not paid for'), refusedWith('payment_already_used'));
        // With its resource the payment is refused there even before it is used.
        const named = await signPayment(here.offer);
        await assert.rejects(buyAt(there, named, 'not paid for'), refusedWith('payment_wrong_resource'));
      }
    });

    it('is one of two operations of the same price when both are asked at once', async () => {
      const [here, there] = [gateOf(first, 10_000n), gateOf(second, 10_000n)];
      const header = await signPayment(here.offer, { alter: withoutResource });
      const results = await Promise.allSettled([buyAt(here, header, 'one'), buyAt(there, header, 'other')]);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await shop.settlementsOf(header), 1);
    });

    it('is the price that was signed: a new price takes new payments only', async () => {
      const [old, current] = [gateOf(first, 10_000n), gateOf(first, 20_000n)];
      const header = await signPayment(old.offer);
      await assert.rejects(buyAt(current, header, 'dear'), refusedWith('payment_amount_mismatch'));
      assert.equal(await shop.rowOf(header), undefined);
      await buyAt(old, header, 'cheap');
    });

    it('is the purchase of before, when its outcome becomes known only after a change of prices', async () => {
      const [old, current] = [gateOf(first, 10_000n), gateOf(first, 20_000n)];
      const header = await signPayment(old.offer);
      shop.faults.settler.settle = async (authorization, attempt) => {
        await shop.real.settler.settle(authorization, attempt);
        return { outcome: 'unknown', detail: 'the answer was lost' };
      };
      await assert.rejects(buyAt(old, header, 'the reply of before'), refusedWith('settlement_unknown'));
      shop.mend();
      const reply = await buyAt(current, header, 'the reply of now');
      assert.equal(Buffer.concat(reply.body.chunks).toString(), 'the reply of before');
      const paid = JSON.parse(Buffer.from(reply.headers['PAYMENT-RESPONSE'] ?? '', 'base64').toString()) as object;
      assert.equal(Reflect.get(paid, 'amount'), '10000');
      assert.equal(await shop.settlementsOf(header), 1);
    });

    it('is the purchase of before for whoever shows its identifier, also after a change of prices', async () => {
      const [old, current] = [gateOf(first, 10_000n), gateOf(first, 20_000n)];
      const extensions = { 'payment-identifier': { info: { required: false, id: 'the-identifier-of-a-buyer' } } };
      const header = await signPayment(old.offer, { alter: (payload) => ({ ...payload, extensions }) });
      const bought = await buyAt(old, header, 'the reply of before');
      bought.onDelivery(true);
      for (let turn = 0; turn < 2; turn++) {
        const again = await buyAt(current, header, 'the reply of now');
        assert.equal(Buffer.concat(again.body.chunks).toString(), 'the reply of before');
        assert.deepEqual(again.headers, bought.headers);
      }
      assert.equal(await shop.settlementsOf(header), 1);
    });

    it('is never a dearer operation, even when the payment was let go and then sent by its payer', async () => {
      const [cheap, dear] = [gateOf(first, 10_000n), gateOf(second, 20_000n)];
      const header = await signPayment(cheap.offer, { alter: withoutResource });
      shop.faults.settler.settle = async () => ({ outcome: 'failed', reason: 'insufficient_funds', detail: 'poor' });
      await assert.rejects(buyAt(cheap, header, 'cheap'), refusedWith('settlement_failed'));
      shop.mend();
      await shop.chain.submitElsewhere(shop.authorizationOf(header));
      await assert.rejects(buyAt(dear, header, 'dear'), refusedWith('payment_amount_mismatch'));
      const asked = await buyAt(cheap, header, 'cheap').catch((error: unknown) => error);
      assert.ok(asked instanceof ServiceError);
      assert.equal(asked.reason, 'payment_already_used');
      const { extensions } = asked.details.paymentRequired as { extensions: { 'sign-in-with-x': SignInRequest } };
      await buyAt(cheap, header, 'cheap', [await signIn(extensions['sign-in-with-x'])]);
    });
  });
});
