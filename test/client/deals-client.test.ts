import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import { demonstrationKey } from '../../src/client/choose-payer.js';
import { createDealsClient } from '../../src/client/create-deals-client.js';
import type { DealsClient, DealsClientOptions, Quote } from '../../src/client/deals-client.js';
import {
  AbortedError,
  FaultyRequestError,
  NotApprovedError,
  NothingFoundError,
  OutcomeUnknownError,
  PaymentRefusedError,
  UnavailableError,
} from '../../src/client/error-classes.js';
import { createMemoryStorage } from '../../src/client/memory-storage.js';
import type { PaymentStorage } from '../../src/client/payment-storage.js';
import { PurchaseError } from '../../src/client/purchase-error.js';
import {
  localToken,
  priced,
  problem,
  requirementOf,
  sold,
  startStandIn,
  transaction,
  type Answer,
  type StandIn,
} from './stand-in-server.js';

const account = privateKeyToAccount(demonstrationKey);
const unknownPayment = problem(404, 'unknown_payment');
const nothing = problem(404, 'no_records_match', { payment: 'not_settled' });
const settling = problem(503, 'settlement_unknown', { payment: 'unknown', retryable: true, retry_same_payment: true });
const busy = problem(429, 'rate_limited', { payment: 'not_settled', retryable: true });
const used = priced(undefined, { reason: 'payment_already_used', payment: 'settled' });
const state = (name: string): Answer => ({ status: 200, body: { state: name } });
const free = (body: unknown, headers: Record<string, string> = {}): Answer => ({ status: 200, headers, body });

/** A buyer with a clock of its own; several clients of it share what is kept. */
interface Buyer {
  readonly server: StandIn;
  readonly storage: PaymentStorage;
  open(options?: Partial<DealsClientOptions>): DealsClient;
  advance(seconds: number): void;
  /** Distinct payments that were presented, and how often one was. */
  signed(): number;
  presented(): number;
}

async function withBuyer(script: readonly Answer[], use: (buyer: Buyer) => Promise<void>): Promise<void> {
  const server = await startStandIn(script);
  const storage = createMemoryStorage();
  let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
  try {
    await use({
      server,
      storage,
      open: (options = {}) =>
        createDealsClient({
          baseUrl: server.url,
          account,
          storage,
          maxAttempts: 2,
          now: () => new Date(nowMs),
          sleep: async () => undefined,
          ...options,
        }),
      advance: (seconds) => void (nowMs += seconds * 1000),
      signed: () => new Set(server.signatures()).size,
      presented: () => server.signatures().length,
    });
  } finally {
    await server.stop();
  }
}

/** What a call fails with. */
async function failureOf(call: Promise<unknown>): Promise<PurchaseError> {
  const error = await call.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PurchaseError, String(error));
  return error;
}

const deals = [{ id: 'a' }, { id: 'b' }];

describe('a deals client', () => {
  it('buys with the price of the 402, and gives the records with what was paid', () =>
    withBuyer(
      [priced(), sold(deals, { 'X-Total-Count': '7', Link: '</api/pages/t%2B1>; rel="next"' })],
      async (buyer) => {
        const answer = await buyer.open().listDeals({ state: 'OH', min_cap: 8.5 });
        assert.deepEqual(answer.data, deals);
        assert.deepEqual([answer.total, answer.nextPage, answer.isUnchanged], [7, 't+1', false]);
        const { paymentId, ...paid } = answer.paid ?? {};
        assert.match(paymentId ?? '', /^0x[0-9a-f]{64}$/);
        assert.deepEqual(paid, {
          network: 'eip155:31337',
          asset: localToken,
          amount: '0.05',
          payer: account.address,
          isRedelivered: false,
          transaction,
        });
        assert.deepEqual(
          buyer.server.requests.map(({ url }) => url),
          ['/api/deals?min_cap=8.5&state=OH', '/api/deals?min_cap=8.5&state=OH'],
        );
      },
    ));

  it('puts parameters where they belong, whatever is in them', () =>
    withBuyer([free({})], async (buyer) => {
      const client = buyer.open();
      await client.getReport({ id: 'a/b' });
      await client.lookUpAddress({ address: '1 Main St #2 & Co' });
      await client.getX402Discovery();
      assert.deepEqual(
        buyer.server.requests.map(({ url }) => url),
        ['/api/deals/a%2Fb/report', '/api/lookup?address=1%20Main%20St%20%232%20%26%20Co', '/.well-known/x402'],
      );
    }));

  it('takes what is free without an account, and says what is missing where there is a price', () =>
    withBuyer([free({ name: 'feed' }), priced()], async (buyer) => {
      const client = createDealsClient({ baseUrl: buyer.server.url });
      assert.deepEqual((await client.getMeta()).data, { name: 'feed' });
      const error = await failureOf(client.listDeals());
      assert.deepEqual(
        [error.reason, error instanceof PaymentRefusedError, buyer.presented()],
        ['key_needed', true, 0],
      );
    }));

  it('tells the price without paying', () =>
    withBuyer([priced(), free({})], async (buyer) => {
      const client = buyer.open();
      assert.equal((await client.price('listDeals', { state: 'OH' }))?.price, '0.05');
      assert.equal(await client.price('getMeta'), undefined);
      assert.equal(buyer.presented(), 0);
    }));

  it('throws by the kind of the reason', () =>
    withBuyer(
      [
        problem(400, 'invalid_deal_id'),
        problem(404, 'unknown_deal'),
        problem(503, 'temporarily_unavailable'),
        problem(418, 'a_reason_to_come'),
      ],
      async (buyer) => {
        const client = buyer.open();
        for (const kind of [FaultyRequestError, NothingFoundError, UnavailableError])
          assert.ok((await failureOf(client.getReport({ id: 'x' }))) instanceof kind, kind.name);
        assert.equal((await failureOf(client.getMeta())).name, 'PurchaseError');
      },
    ));
});

describe('the caps of a deals client', () => {
  it('signs nothing above the price of a call, unless the call itself allows more', () =>
    withBuyer(
      [priced([requirementOf({ amount: '1500000' })]), priced([requirementOf({ amount: '1500000' })]), sold({})],
      async (buyer) => {
        const client = buyer.open({ maxPricePerCall: '0.50' });
        const error = await failureOf(client.getReport({ id: 'a' }));
        assert.deepEqual(
          [error.reason, error instanceof NotApprovedError, buyer.presented()],
          ['price_above_limit', true, 0],
        );
        assert.equal((await client.getReport({ id: 'a' }, { maxPrice: '1.50' })).paid?.amount, '1.50');
      },
    ));

  it('sets the price aside before it signs, so that calls at once cannot exceed the budget', () =>
    withBuyer([priced()], async (buyer) => {
      let signing = 0;
      let poor = 0;
      let release = (): void => undefined;
      const decided = new Promise<void>((resolve) => (release = resolve));
      // What is refused is given back, and may be spent again: nothing is signed before each call has tried to.
      const decide = () => signing + poor === 5 && release();
      const slow = {
        ...account,
        signTypedData: (async (parameters) => {
          signing += 1;
          decide();
          await decided;
          return account.signTypedData(parameters);
        }) as typeof account.signTypedData, // generic: a literal cannot restate it
      };
      const client = buyer.open({ account: slow, budget: { perHour: '0.14' } });
      const calls = [1, 2, 3, 4, 5].map(async (limit) => {
        const { reason } = await failureOf(client.listDeals({ limit }));
        if (reason === 'budget_exceeded') poor += 1;
        decide();
      });
      await Promise.all(calls);
      assert.deepEqual([signing, poor, buyer.signed()], [2, 3, 2]);
    }));

  it('gives back what was refused', () =>
    withBuyer([priced(), nothing, priced(), sold([])], async (buyer) => {
      const client = buyer.open({ budget: { perDay: '0.05' } });
      assert.ok((await failureOf(client.listDeals())) instanceof NothingFoundError);
      assert.equal((await client.spending()).lastDay, '0.00');
      assert.equal((await client.listDeals()).paid?.amount, '0.05');
      assert.equal((await client.spending()).lastDay, '0.05');
    }));

  it('keeps what may still be charged set aside, in another process too', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', priced()], async (buyer) => {
      assert.ok((await failureOf(buyer.open().listDeals())) instanceof OutcomeUnknownError);
      const restarted = buyer.open({ budget: { perHour: '0.05' } });
      const { lastHour, open } = await restarted.spending();
      assert.deepEqual([lastHour, open.length, open[0]?.url], ['0.05', 1, `${buyer.server.url}/api/deals`]);
      assert.equal((await failureOf(restarted.listHotDeals())).reason, 'budget_exceeded');
    }));

  it('counts what was spent within the hour and the day, by the clock it is given', () =>
    withBuyer([priced(), sold([]), priced(), priced(), sold([]), priced(), priced(), sold([])], async (buyer) => {
      const client = buyer.open({ budget: { perHour: '0.05', perDay: '0.10' } });
      await client.listDeals({ limit: 1 });
      buyer.advance(3599);
      assert.match((await failureOf(client.listDeals({ limit: 2 }))).message, /\$0\.05 for each hour/);
      buyer.advance(1);
      await client.listDeals({ limit: 2 });
      buyer.advance(3600);
      assert.match((await failureOf(client.listDeals({ limit: 3 }))).message, /\$0\.10 for each day/);
      buyer.advance(86_400 - 7200);
      await client.listDeals({ limit: 3 });
    }));

  it('pays with no token but those that are allowed', () =>
    withBuyer([priced()], async (buyer) => {
      const usdc = { network: 'eip155:8453', asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' };
      const error = await failureOf(buyer.open({ allowedAssets: [usdc] }).listDeals());
      assert.deepEqual([error.reason, buyer.presented()], ['no_acceptable_payment', 0]);
    }));

  it('tells the price before it signs, and signs nothing when it is not wanted', () =>
    withBuyer([priced()], async (buyer) => {
      const told: Quote[] = [];
      const onBeforePay = async (quote: Quote) => told.push(quote) > 99;
      const error = await failureOf(buyer.open({ onBeforePay }).listDeals({ state: 'OH' }));
      assert.deepEqual([error.reason, buyer.presented()], ['not_approved', 0]);
      assert.deepEqual(
        told.map(({ price, request }) => [price, request]),
        [['0.05', '/api/deals?state=OH']],
      );
    }));

  it('refuses options that make no sense before anything is asked', () =>
    withBuyer([free({})], async (buyer) => {
      const cases: readonly (readonly [Partial<DealsClientOptions>, RegExp])[] = [
        [{ baseUrl: 'deals.example' }, /baseUrl/],
        [{ maxPricePerCall: '1,50' }, /maxPricePerCall must be dollars in a string/],
        [{ budget: { perHour: '-1' } }, /budget\.perHour/],
        [{ maxAttempts: 0 }, /maxAttempts/],
        [{ allowedAssets: [{ network: 'eip155:1', asset: localToken }] }, /allowedAssets names .* on eip155:1/],
      ];
      for (const [options, says] of cases) assert.throws(() => buyer.open(options), says);
      await assert.rejects(buyer.open().listDeals({}, { maxPrice: 'all' }), /maxPrice/);
      assert.equal(buyer.server.requests.length, 0);
    }));
});

describe('a deals client whose outcome is open', () => {
  it('presents the very same payment again at the next call, also after a restart', () =>
    withBuyer([priced(), settling, 'hang_up', sold(deals)], async (buyer) => {
      const error = await failureOf(buyer.open().listDeals());
      assert.ok(error instanceof OutcomeUnknownError);
      assert.match(error.context.paymentId ?? '', /^0x[0-9a-f]{64}$/);
      const answer = await buyer.open().listDeals();
      assert.deepEqual([answer.data, answer.paid?.paymentId], [deals, error.context.paymentId]);
      assert.equal(answer.paid?.isRedelivered, true);
      assert.deepEqual([buyer.signed(), buyer.presented()], [1, 3]);
    }));

  it('asks what became of a payment before it signs another one', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', unknownPayment, priced(), sold(deals)], async (buyer) => {
      const error = await failureOf(buyer.open().listDeals());
      buyer.advance(361);
      assert.deepEqual((await buyer.open().listDeals()).data, deals);
      assert.equal(buyer.server.requests[3]?.url, `/api/payments/${error.context.paymentId}`);
      assert.equal(buyer.signed(), 2);
    }));

  it('gets what was charged, however late, instead of paying again', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', state('settled'), sold(deals)], async (buyer) => {
      await failureOf(buyer.open().listDeals());
      buyer.advance(86_000);
      assert.deepEqual((await buyer.open().listDeals()).data, deals);
      assert.equal(buyer.signed(), 1);
    }));

  it('presents it again while it is valid by the clock of the server, which may be behind', () => {
    const unknown = problem(404, 'unknown_payment', {}, { Date: 'Fri, 20 Nov 2026 12:05:00 GMT' });
    return withBuyer([priced(), 'hang_up', 'hang_up', unknown, sold(deals)], async (buyer) => {
      const client = buyer.open();
      await failureOf(client.listDeals());
      buyer.advance(361);
      assert.deepEqual((await client.listDeals()).data, deals);
      assert.equal(buyer.signed(), 1);
    });
  });

  it('signs nothing while it cannot be known what became of the first', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', problem(503, 'temporarily_unavailable'), 'hang_up'], async (buyer) => {
      await failureOf(buyer.open().listDeals());
      buyer.advance(361);
      const client = buyer.open();
      for (let call = 1; call <= 2; call++) {
        const error = await failureOf(client.listDeals());
        assert.ok(error instanceof OutcomeUnknownError, error.reason);
      }
      assert.equal(buyer.signed(), 1);
    }));

  it('keeps a refused payment that an earlier, unanswered request may still carry', () =>
    withBuyer([priced(), 'hang_up', nothing, nothing, sold(deals)], async (buyer) => {
      const client = buyer.open();
      for (let call = 1; call <= 2; call++) {
        const error = await failureOf(client.listDeals());
        assert.deepEqual([error.reason, error instanceof OutcomeUnknownError], ['no_records_match', true]);
      }
      assert.deepEqual((await client.listDeals()).data, deals);
      assert.equal(buyer.signed(), 1);
    }));

  it('keeps a payment whose outcome was open when the same payment is then turned away', () =>
    withBuyer([priced(), settling, busy, sold(deals)], async (buyer) => {
      const error = await failureOf(buyer.open().listDeals());
      assert.ok(error instanceof OutcomeUnknownError);
      assert.equal((await buyer.open().spending()).open.length, 1);
      assert.deepEqual((await buyer.open().listDeals()).data, deals);
      assert.deepEqual([buyer.signed(), buyer.presented()], [1, 3]);
    }));

  it('buys anew where what was charged cannot be had any more', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', used, priced(), sold(deals)], async (buyer) => {
      const client = buyer.open();
      await failureOf(client.listDeals());
      const error = await failureOf(client.listDeals());
      assert.deepEqual([error.reason, error.context.payment], ['payment_already_used', 'settled']);
      assert.deepEqual((await client.listDeals()).data, deals);
      assert.equal((await client.spending()).lastDay, '0.10');
    }));

  it('lets two calls for the same at once pay for one each', () =>
    withBuyer([priced(), priced(), sold(deals)], async (buyer) => {
      const client = buyer.open();
      const answers = await Promise.all([client.listDeals(), client.listDeals()]);
      assert.equal(new Set(answers.map(({ paid }) => paid?.paymentId)).size, 2);
      assert.equal(buyer.signed(), 2);
    }));

  it('ends at once when it is aborted, and keeps what was presented', () =>
    withBuyer([priced(), settling, sold(deals)], async (buyer) => {
      const controller = new AbortController();
      const sleep = () => {
        controller.abort();
        return new Promise<void>(() => undefined);
      };
      const error = await failureOf(buyer.open({ sleep }).listDeals({}, { signal: controller.signal }));
      assert.deepEqual([error instanceof AbortedError, error.context.payment], [true, 'unknown']);
      await assert.rejects(buyer.open({ signal: controller.signal }).listDeals(), AbortedError);
      assert.deepEqual((await buyer.open().listDeals()).data, deals);
      assert.deepEqual([buyer.signed(), buyer.presented()], [1, 2]);
    }));

  it('signs nothing when the payment cannot be set aside, and presents nothing when it cannot be kept', () =>
    withBuyer([priced()], async (buyer) => {
      for (const updates of [1, 2]) {
        const memory = createMemoryStorage();
        let left = updates;
        const storage: PaymentStorage = {
          update: async (change) => (left-- > 0 ? memory.update(change) : Promise.reject(new Error('disk full'))),
        };
        const error = await failureOf(buyer.open({ storage }).listDeals());
        assert.deepEqual([error.reason, buyer.presented()], ['storage_failed', 0]);
      }
    }));

  it('does not overlook what it cannot read', () =>
    withBuyer([priced()], async (buyer) => {
      await buyer.storage.update(() => '{"version":1,"payments":[{"url":7}]}');
      assert.equal((await failureOf(buyer.open().listDeals())).reason, 'storage_failed');
      assert.equal(buyer.server.requests.length, 0);
    }));

  it('gives the data even when it cannot note that it came', () =>
    withBuyer([priced(), sold(deals), sold(deals)], async (buyer) => {
      let left = 3;
      const storage: PaymentStorage = {
        update: async (change) => (left-- > 0 ? buyer.storage.update(change) : Promise.reject(new Error('disk full'))),
      };
      assert.deepEqual((await buyer.open({ storage }).listDeals()).data, deals);
      assert.deepEqual((await buyer.open().listDeals()).data, deals);
      assert.equal(buyer.signed(), 1);
    }));
});

describe('what a deals client knows already', () => {
  it('is had again free while the server says that it is current', () =>
    withBuyer([priced(), sold(deals, { ETag: '"v1"' }), { status: 304 }, priced(), sold([])], async (buyer) => {
      const client = buyer.open();
      await client.listDeals();
      const again = await client.listDeals();
      assert.deepEqual([again.data, again.isUnchanged, again.paid], [deals, true, undefined]);
      assert.equal(buyer.server.requests[2]?.headers['if-none-match'], '"v1"');
      const changed = await client.listDeals();
      assert.deepEqual([changed.data, changed.isUnchanged, buyer.signed()], [[], false, 2]);
    }));

  it('is never taken for another exclusive lead', () =>
    withBuyer(
      [priced(), sold({ lead: 1 }, { ETag: '"v1"' }), priced(), sold({ lead: 2 }, { ETag: '"v1"' })],
      async (buyer) => {
        const client = buyer.open();
        await client.buyExclusiveLead();
        assert.deepEqual((await client.buyExclusiveLead()).data, { lead: 2 });
        assert.equal(buyer.server.requests[2]?.headers['if-none-match'], undefined);
      },
    ));
});

describe('reading a whole result set', () => {
  const link = (token: string) => ({ Link: `</api/pages/${token}>; rel="next"`, 'X-Total-Count': '3' });

  it('is free while nothing has changed, where it is one page; the tokens of others end', () =>
    withBuyer(
      [
        priced(),
        sold(deals, { ETag: '"v1"' }),
        { status: 304 },
        priced(),
        sold(deals, { ETag: '"v1"', ...link('t1') }),
        priced(),
      ],
      async (buyer) => {
        const client = buyer.open();
        const count = async (limit: number) => {
          let records = 0;
          for await (const _ of client.deals.all({ limit })) records += 1;
          return records;
        };
        assert.deepEqual([await count(9), await count(9), buyer.signed()], [2, 2, 1]);
        assert.equal((await client.listDeals({ limit: 2 })).nextPage, 't1');
        await failureOf(count(2));
        const [, , revalidated, , , anew] = buyer.server.requests.map(({ headers }) => headers['if-none-match']);
        assert.deepEqual([revalidated, anew], ['"v1"', undefined]);
      },
    ));

  it('pays once and reads the further pages free, telling how far it is', () =>
    withBuyer([priced(), sold(deals, link('t1')), free([{ id: 'c' }], { 'X-Total-Count': '3' })], async (buyer) => {
      const told: unknown[] = [];
      const ids: string[] = [];
      for await (const { id } of buyer.open().deals.all({ state: 'OH' }, { onProgress: (each) => told.push(each) }))
        ids.push(id);
      assert.deepEqual(ids, ['a', 'b', 'c']);
      assert.deepEqual(told, [
        { received: 2, total: 3, pages: 1 },
        { received: 3, total: 3, pages: 2 },
      ]);
      assert.equal(buyer.signed(), 1);
    }));

  it('reads the pages of an envelope as well', () =>
    withBuyer(
      [priced(), sold({ signals: [{ id: 'a' }], total: 2 }, link('t1')), free({ signals: [{ id: 'b' }], total: 2 })],
      async (buyer) => {
        const ids: string[] = [];
        for await (const { id } of buyer.open().signals.all()) ids.push(id);
        assert.deepEqual(ids, ['a', 'b']);
      },
    ));

  it('outlasts a broken connection between two pages', () =>
    withBuyer([priced(), sold(deals, link('t1')), 'hang_up', free([{ id: 'c' }])], async (buyer) => {
      let count = 0;
      for await (const _ of buyer.open().deals.all()) count += 1;
      assert.deepEqual([count, buyer.signed()], [3, 1]);
    }));

  it('ends with the reason when a page is gone, after the records that are there', () =>
    withBuyer([priced(), sold(deals, link('t1')), problem(410, 'cursor_expired')], async (buyer) => {
      const ids: string[] = [];
      const read = async () => {
        for await (const { id } of buyer.open().deals.all()) ids.push(id);
      };
      assert.equal((await failureOf(read())).reason, 'cursor_expired');
      assert.deepEqual(ids, ['a', 'b']);
    }));

  it('reads no further than is wanted', () =>
    withBuyer([priced(), sold(deals, link('t1'))], async (buyer) => {
      for await (const { id } of buyer.open().deals.all()) if (id === 'b') break;
      assert.equal(buyer.server.requests.length, 2);
    }));
});
