import assert from 'node:assert/strict';
import type { Client } from '../../../generated/client/index.js';
import { countMatches } from '../../../generated/sdk.gen.js';
import type { CountedMatches, CountMatchesData } from '../../../generated/types.gen.js';
import { countedOperations } from '../../../src/api/count/counters.js';
import { loadContract } from '../../../src/contract/load-contract.js';
import { createApiClient } from '../../support/api-client.js';
import { startTestApp } from '../../support/app.js';
import { shareApp, type SharedApp } from '../../support/shared-app.js';
import { askPrice, signPayment } from '../../support/pay.js';

type CountQuery = NonNullable<CountMatchesData['query']>;

describe('countMatches', () => {
  let app: SharedApp;
  let client: Client;
  before(async () => {
    app = await shareApp();
    client = createApiClient(app.url);
  });

  const count = async (query: CountQuery): Promise<CountedMatches> => {
    const { data, error } = await countMatches({ client, query });
    return data ?? assert.fail(JSON.stringify(error));
  };

  /** Buys what a count names, and returns how many records there are in all. */
  async function buy(path: string): Promise<number> {
    const headers = { 'PAYMENT-SIGNATURE': await signPayment(await askPrice(app.url + path)) };
    const response = await fetch(app.url + path, { headers });
    assert.ok([200, 404].includes(response.status), `${response.status} ${await response.text()}`);
    return Number(response.headers.get('X-Total-Count') ?? 0);
  }

  for (const query of [
    { of: 'deals' },
    { of: 'deals', state: ['OH'], min_dscr: 1.27, max_price: 333_333 },
    { of: 'deals', min_units: 7, min_year_built: 1955, sort: 'price', order: 'desc', view: 'compact', limit: 3 },
    { of: 'deals', near: '41.6621,-83.5418', radius: 37 },
    { of: 'deals', metro: ['toledo', 'cleveland'], wholesale_status: ['Hot', 'Warm'] },
    { of: 'hot_deals', max_price_per_unit: 71_234 },
    { of: 'basic_deals', min_score: 101 - 4 },
    { of: 'signals', min_amount: 12_345 },
    { of: 'auctions', min_appraised: 150_000, from_date: '2026-01-01' },
    { of: 'leads', min_score: 52 },
  ] as CountQuery[])
    it(`bounds what is paid for: ${JSON.stringify(query)}`, async () => {
      const counted = await count(query);
      const { at_least: least, at_most: most } = counted.matches;
      const total = await buy(counted.buy);
      assert.ok(least <= total && total <= most, `${least} <= ${total} <= ${most}`);
    });

  it('gives 0 for what matches nothing, and tells nothing of fewer than ten', async () => {
    const none = await count({ of: 'deals', state: ['WY'] });
    assert.deepEqual([none.matches, none.about, none.rows], [{ at_least: 0, at_most: 0 }, {}, []]);
    assert.equal(none.coverage.place, 'none');
    for (const least of [60, 65, 70, 75, 80, 85, 90, 95, 100]) {
      const { matches, about, rows } = await count({ of: 'deals', min_score: least });
      if (matches.at_most < 10) assert.deepEqual([about, rows], [{}, []]);
    }
  });

  it('tells bands that add up to the matches with that value, and three rows in bands', async () => {
    const { about, rows, matches } = await count({ of: 'deals' });
    const priced = Object.values(about['list_price'] ?? {}).reduce((sum, each) => sum + each, 0);
    assert.ok(priced > 0.8 * matches.at_least, JSON.stringify(about));
    assert.deepEqual(Object.keys(about), ['list_price', 'cap_rate', 'dscr', 'rental_status', 'metro']);
    assert.equal(rows.length, 3);
    assert.match(JSON.stringify(rows), /"list_price":"\w+_\d+/);
  });

  it('says no word of a record itself: no id, address, ZIP, link or exact price', async () => {
    const text = JSON.stringify(await count({ of: 'deals', state: ['OH'] }));
    const { records } = app.feeds.deals.current();
    for (const { id, priceCents } of records)
      for (const word of [id, `"${(priceCents ?? 0) / 100}"`]) assert.ok(!text.includes(word), word);
    assert.doesNotMatch(text, /\d{5}-\d{4}|"zip"|"id"|https?:/);
  });

  it('refuses a filter of another feed, and names its feeds', async () => {
    const { response, error } = await countMatches({ client, query: { of: 'signals', min_dscr: 1 } });
    assert.equal(response.status, 400);
    const [fault] = error !== undefined && 'errors' in error ? (error.errors ?? []) : [];
    assert.equal(fault?.parameter, 'min_dscr');
    assert.match(fault?.detail ?? '', /deals, hot_deals, basic_deals/);
  });

  it('takes every filter of every operation that it counts', () => {
    const { operations } = loadContract();
    const namesOf = (id: string) =>
      operations
        .find(({ operationId }) => operationId === id)
        ?.parameters.filter((each) => each.in === 'query')
        .map(({ name }) => name) ?? [];
    const own = new Set(namesOf('countMatches'));
    for (const id of Object.values(countedOperations)) for (const name of namesOf(id)) assert.ok(own.has(name), name);
  });
});

describe('counts of one address', () => {
  it('are limited: 429 with Retry-After', async () => {
    const app = await startTestApp({ environment: { COUNTS_PER_MINUTE: '2' } });
    try {
      const statuses: number[] = [];
      for (let call = 0; call < 3; call++) statuses.push((await fetch(`${app.url}/api/count?of=deals`)).status);
      assert.deepEqual(statuses, [200, 200, 429]);
    } finally {
      await app.stop();
    }
  });
});
