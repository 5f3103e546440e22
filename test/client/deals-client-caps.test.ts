import assert from 'node:assert/strict';
import type { DealsClientOptions, Quote } from '../../src/client/deals-client.js';
import { NotApprovedError, NothingFoundError, OutcomeUnknownError } from '../../src/client/error-classes.js';
import { account, failureOf, withBuyer } from './buyer.js';
import { localToken, priced, problem, requirementOf, sold, type Answer } from './mock-server.js';

const nothing = problem(404, 'no_records_match', { payment: 'not_settled' });
const free = (body: unknown, headers: Record<string, string> = {}): Answer => ({ status: 200, headers, body });

describe('the caps of a deals client', () => {
  it('signs nothing above the price limit, unless the call itself allows more', () =>
    withBuyer(
      [priced([requirementOf({ amount: '1500000' })]), priced([requirementOf({ amount: '1500000' })]), sold({})],
      async (buyer) => {
        const client = buyer.open({ maxPricePerCall: '0.50' });
        const error = await failureOf(client.report({ id: 'a' }));
        assert.deepEqual(
          [error.reason, error instanceof NotApprovedError, buyer.presented()],
          ['price_above_limit', true, 0],
        );
        assert.equal((await client.report({ id: 'a' }, { maxPrice: '1.50' })).paid?.amount, '1.50');
      },
    ));

  it('reserves the price before it signs, so that concurrent calls cannot exceed the budget', () =>
    withBuyer([priced()], async (buyer) => {
      let signing = 0;
      let poor = 0;
      let release = (): void => undefined;
      const decided = new Promise<void>((resolve) => (release = resolve));
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
        const { reason } = await failureOf(client.deals({ limit }));
        if (reason === 'budget_exceeded') poor += 1;
        decide();
      });
      await Promise.all(calls);
      assert.deepEqual([signing, poor, buyer.signed()], [2, 3, 2]);
    }));

  it('releases a refused amount when it can no longer be charged, not when the server says so', () =>
    withBuyer([priced(), nothing, priced(), priced(), sold([])], async (buyer) => {
      const client = buyer.open({ budget: { perDay: '0.05' } });
      assert.ok((await failureOf(client.deals())) instanceof NothingFoundError);
      const { lastDay, held, open } = await client.spending();
      assert.deepEqual([lastDay, held, open], ['0.00', '0.05', []]);
      buyer.advance(359);
      assert.equal((await failureOf(client.deals())).reason, 'budget_exceeded');
      buyer.advance(1);
      assert.equal((await client.deals()).paid?.amount, '0.05');
      const paid = await client.spending();
      assert.deepEqual([paid.lastDay, paid.held], ['0.05', '0.00']);
    }));

  it('keeps a chargeable amount reserved, also in another process', () =>
    withBuyer([priced(), 'hang_up', 'hang_up', priced()], async (buyer) => {
      assert.ok((await failureOf(buyer.open().deals())) instanceof OutcomeUnknownError);
      const restarted = buyer.open({ budget: { perHour: '0.05' } });
      const { lastHour, open } = await restarted.spending();
      assert.deepEqual([lastHour, open.length, open[0]?.url], ['0.05', 1, `${buyer.server.url}/api/deals`]);
      assert.equal((await failureOf(restarted.hotDeals())).reason, 'budget_exceeded');
    }));

  it('counts amounts within the hour and the day, by the given clock', () =>
    withBuyer([priced(), sold([]), priced(), priced(), sold([]), priced(), priced(), sold([])], async (buyer) => {
      const client = buyer.open({ budget: { perHour: '0.05', perDay: '0.10' } });
      await client.deals({ limit: 1 });
      buyer.advance(3599);
      assert.match((await failureOf(client.deals({ limit: 2 }))).message, /\$0\.05 for each hour/);
      buyer.advance(1);
      await client.deals({ limit: 2 });
      buyer.advance(3600);
      assert.match((await failureOf(client.deals({ limit: 3 }))).message, /\$0\.10 for each day/);
      buyer.advance(86_400 - 7200);
      await client.deals({ limit: 3 });
    }));

  it('pays only with the allowed tokens', () =>
    withBuyer([priced()], async (buyer) => {
      const usdc = { network: 'eip155:8453', asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' };
      const error = await failureOf(buyer.open({ allowedAssets: [usdc] }).deals());
      assert.deepEqual([error.reason, buyer.presented()], ['no_acceptable_payment', 0]);
    }));

  it('reports the price before it signs, and signs nothing when refused', () =>
    withBuyer([priced()], async (buyer) => {
      const told: Quote[] = [];
      const onBeforePay = async (quote: Quote) => told.push(quote) > 99;
      const error = await failureOf(buyer.open({ onBeforePay }).deals({ state: 'OH' }));
      assert.deepEqual([error.reason, buyer.presented()], ['not_approved', 0]);
      assert.deepEqual(
        told.map(({ price, request }) => [price, request]),
        [['0.05', '/api/deals?state=OH']],
      );
    }));

  it('rejects invalid options before any request', () =>
    withBuyer([free({})], async (buyer) => {
      const cases: readonly (readonly [Partial<DealsClientOptions>, RegExp])[] = [
        [{ baseUrl: 'deals.example' }, /baseUrl/],
        [{ maxPricePerCall: '1,50' }, /maxPricePerCall must be dollars in a string/],
        [{ budget: { perHour: '-1' } }, /budget\.perHour/],
        [{ maxAttempts: 0 }, /maxAttempts/],
        [{ allowedAssets: [{ network: 'eip155:1', asset: localToken }] }, /allowedAssets names .* on eip155:1/],
      ];
      for (const [options, says] of cases) assert.throws(() => buyer.open(options), says);
      await assert.rejects(buyer.open().deals({}, { maxPrice: 'all' }), /maxPrice/);
      assert.equal(buyer.server.requests.length, 0);
    }));
});
