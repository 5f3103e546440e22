import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Deal } from '../../generated/types.gen.js';
import { listBasicDeals } from '../../generated/sdk.gen.js';
import { listDeals } from '../support/full-deals.js';
import type { Client } from '../../generated/client/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';
import { matchesDeal } from '../filters/filtered-lists.js';
import { compareDeals, type DealQuery } from '../filters/reference-order.js';
import { deep } from '../support/depth.js';

describe('listDeals', () => {
  let app: TestApp;
  let client: Client;
  let settler: InstantSettler;
  let all: readonly Deal[];
  before(async () => {
    settler = createInstantSettler();
    app = await startTestApp({ settler });
    client = createApiClient(app.url);
    const { data } = await purchase((headers) => listDeals({ client, headers }));
    assert.ok(data);
    all = data;
  });
  after(() => app.stop());

  const buy = (query: DealQuery) => purchase((headers) => listDeals({ client, query, headers }));

  describe('200', () => {
    it('returns every active deal in the order of the feed', () => {
      assert.ok(all.length >= 500);
      assert.deepEqual(all, [...all].sort(compareDeals));
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    });

    it('states the number of matches, the feed version and the settlement', async () => {
      const { data, response } = await buy({ limit: 2 });
      assert.equal(data?.length, 2);
      assert.equal(response.headers.get('X-Total-Count'), String(all.length));
      assert.equal(response.headers.get('Feed-Version'), String(app.feeds.deals.current().version));
      const settled = JSON.parse(
        Buffer.from(response.headers.get('PAYMENT-RESPONSE') ?? '', 'base64').toString(),
      ) as object;
      const members = ['amount', 'extensions', 'network', 'payer', 'success', 'transaction'];
      assert.deepEqual(Object.keys(settled).sort(), members);
    });

    it('combines filters with AND, as the reference filter does, for full and basic deals', async () => {
      const drawn = fc.tuple(
        fc.constantFrom(...all),
        fc.subarray(filterNames, { maxLength: 4 }),
        fc.infiniteStream(fc.nat(99)),
      );
      const queries = drawn.map(
        ([deal, names, dice]): DealQuery =>
          Object.assign({}, ...names.map((name) => filterAround(deal, name, dice.next().value))) as DealQuery,
      );
      let hits = 0;
      const property = fc.asyncProperty(queries, fc.boolean(), async (query, full) => {
        const list = full ? listDeals : listBasicDeals;
        const { data, response } = await purchase((headers) => list({ client, query, headers }));
        const expected = all.filter((deal) => matchesDeal(deal, query)).map(({ id }) => id);
        if (expected.length > 0) hits++;
        assert.deepEqual(
          [response.status, (data ?? []).map(({ id }) => id)],
          [expected.length > 0 ? 200 : 404, expected],
        );
      });
      await fc.assert(property, { numRuns: deep(200, 30) });
      assert.ok(hits > deep(60, 8) && hits < deep(200, 30), `${hits} queries matched`);
    });

    it('includes a record whose figure equals the bound, and excludes it one step beyond', async () => {
      const deal = all.find(
        ({ list_price, cap_rate, units }) => list_price !== null && cap_rate !== null && units !== null,
      );
      assert.ok(deal);
      const [price, cap, units] = [Number(deal.list_price), Number(deal.cap_rate), Number(deal.units)];
      const has = async (query: DealQuery) => (await buy(query)).data?.some(({ id }) => id === deal.id) ?? false;
      const bounds: [DealQuery, DealQuery][] = [
        [{ min_price: price }, { min_price: price + 0.01 }],
        [{ max_price: price }, { max_price: price - 0.01 }],
        [{ min_cap: cap }, { min_cap: Number((cap + 0.01).toFixed(2)) }],
        [{ min_units: units }, { min_units: units + 1 }],
        [{ max_units: units }, { max_units: units - 1 }],
        [{ min_score: deal.deal_score }, { min_score: deal.deal_score + 1 }],
      ];
      for (const [inside, outside] of bounds) {
        assert.deepEqual([await has(inside), await has(outside)], [true, false], JSON.stringify(inside));
      }
    });

    it('never matches a record by an absent figure', async () => {
      const { data } = await buy({ min_price: 0, min_cap: 0, min_units: 0 });
      const complete = all.filter(({ list_price, cap_rate, units }) => ![list_price, cap_rate, units].includes(null));
      assert.ok(complete.length < all.length);
      assert.deepEqual(
        data?.map(({ id }) => id),
        complete.map(({ id }) => id),
      );
    });

    it('costs the same filtered and unfiltered', async () => {
      await buy({});
      await buy({ state: ['OH'], limit: 1 });
      const [filtered, unfiltered] = settler.settled.slice(-2);
      assert.equal(filtered?.value, 50_000n);
      assert.equal(unfiltered?.value, 50_000n);
    });
  });

  describe('402', () => {
    it('asks for the price of the contract', async () => {
      const { response, error } = await listDeals({ client });
      assert.equal(response.status, 402);
      assert.ok(error && 'accepts' in error);
      assert.deepEqual(
        error.accepts.map(({ amount, network }) => [amount, network]),
        [['50000', 'eip155:31337']],
      );
      assert.equal(error.resource.url, `${app.url}/api/deals`);
    });

    it('already lists the faults of the request', async () => {
      const { error } = await listDeals({ client, query: { min_unit: 4, state: ['Ohio'] } as DealQuery });
      assert.ok(error && !('accepts' in error));
      assert.deepEqual(
        error.errors.map(({ parameter, reason, nearest }) => [parameter, reason, nearest]),
        [
          ['min_unit', 'unknown_parameter', 'min_units'],
          ['state', 'invalid_parameter', undefined],
        ],
      );
    });
  });

  describe('400', () => {
    it('refuses a mistyped filter, names the most similar one and uses no payment', async () => {
      const before = settler.settled.length;
      const { response, error } = await buy({ min_unit: 4 } as DealQuery);
      assert.equal(response.status, 400);
      assert.ok(error);
      assert.equal(error.reason, 'unknown_parameter');
      assert.equal(error.payment, 'not_settled');
      assert.equal(error.errors[0]?.nearest, 'min_units');
      assert.equal(settler.settled.length, before);
    });
  });

  describe('404', () => {
    const cases: readonly [string, DealQuery, string, RegExp][] = [
      ['a state without coverage', { state: ['wy'] }, 'outside_coverage', /WY/],
      ['a city without a deal', { city: 'Paris' }, 'no_records_match', /No deal is in this city/],
      ['filters that nothing matches', { state: ['OH'], min_price: 900_000_000 }, 'no_records_match', /No active deal/],
      [
        'a least price above the highest',
        { min_price: 200, max_price: 100 },
        'no_records_match',
        /min_price is above max_price/,
      ],
      [
        'fewest units above the most',
        { min_units: 9, max_units: 2 },
        'no_records_match',
        /min_units is above max_units/,
      ],
    ];
    for (const [name, query, reason, hint] of cases) {
      it(`gives the reason for ${name}, and uses no payment`, async () => {
        const before = settler.settled.length;
        const { response, error } = await buy(query);
        assert.equal(response.status, 404);
        assert.ok(error);
        assert.deepEqual([error.reason, error.billed, error.payment], [reason, false, 'not_settled']);
        assert.match(error.detail, hint);
        assert.equal(settler.settled.length, before);
      });
    }
  });
});

const filterNames = [
  ...(['state', 'city', 'min_price', 'max_price', 'min_cap'] as const),
  ...(['min_units', 'max_units', 'min_score', 'status'] as const),
];

/** A condition that the deal meets, or misses by one step; `die` (0 to 99) decides. */
function filterAround(deal: Deal, name: (typeof filterNames)[number], die: number): DealQuery {
  const step = (value: string | number | null, size: number): number =>
    Math.max(0, Number((Number(value ?? 0) + ([0, 0, size, -size, size / 2, -size / 2][die % 6] ?? 0)).toFixed(4)));
  switch (name) {
    case 'state':
      return { state: [die % 2 === 0 ? deal.state : deal.state.toLowerCase()] };
    case 'city':
      return { city: [deal.city, deal.city.toUpperCase(), deal.city.toLowerCase()][die % 3] ?? deal.city };
    case 'min_price':
    case 'max_price':
      return { [name]: step(deal.list_price, 0.01) };
    case 'min_cap':
      return { min_cap: step(deal.cap_rate, 0.01) };
    case 'min_units':
    case 'max_units':
      return { [name]: Math.round(step(deal.units, 1)) };
    case 'min_score':
      return { min_score: Math.min(100, Math.round(step(deal.deal_score, 1))) };
    case 'status':
      return { status: [deal.rental_status] };
  }
}
