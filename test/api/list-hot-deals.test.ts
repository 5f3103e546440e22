import assert from 'node:assert/strict';
import { listDeals, listHotDeals } from '../support/full-deals.js';
import type { Client } from '../../generated/client/index.js';
import { startTestApp } from '../support/app.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { createInstantSettler } from '../support/instant-settler.js';

describe('listHotDeals', () => {
  let app: SharedApp;
  let client: Client;
  before(async () => {
    app = await shareApp();
    client = createApiClient(app.url);
  });

  describe('200', () => {
    it('returns exactly the deals with an advertised cap of 8.5% or more and a computed DSCR', async () => {
      const { data: all = [] } = await purchase((headers) => listDeals({ client, headers }));
      const { data: hot = [] } = await purchase((headers) => listHotDeals({ client, headers }));
      const expected = all.filter(
        ({ cap_rate, dscr_status }) => Number(cap_rate ?? 0) >= 8.5 && dscr_status === 'computed',
      );
      assert.ok(expected.length > 20 && expected.length < all.length);
      assert.deepEqual(hot, expected);
    });

    it('returns the best first when limited', async () => {
      const { data, response } = await purchase((headers) => listHotDeals({ client, headers, query: { limit: 3 } }));
      assert.equal(data?.length, 3);
      assert.match(response.headers.get('Link') ?? '', /^<\/api\/pages\/[A-Za-z0-9_.-]+>; rel="next"$/);
    });

    it('keeps to the filters on top of its own predicate', async () => {
      const { data: all = [] } = await purchase((headers) => listHotDeals({ client, headers }));
      const prices = all.map(({ list_price }) => Number(list_price)).sort((one, other) => one - other);
      const max_price = prices[Math.floor(prices.length / 2)] ?? 0;
      const { data = [] } = await purchase((headers) => listHotDeals({ client, headers, query: { max_price } }));
      assert.deepEqual(
        data.map(({ id }) => id),
        all.filter(({ list_price }) => Number(list_price) <= max_price).map(({ id }) => id),
      );
    });

    it('explains why a record is not rated Hot', async () => {
      const { data = [] } = await purchase((headers) => listHotDeals({ client, headers }));
      for (const deal of data.filter(({ rental_status }) => rental_status !== 'Hot')) {
        const { checks, reasons, missing } = deal.rationales.rental;
        assert.ok(reasons.length > 0 && (missing.length > 0 || checks.some(({ passed }) => !passed)), deal.id);
      }
    });
  });

  describe('402', () => {
    it('asks for two cents', async () => {
      const { error, response } = await listHotDeals({ client });
      assert.equal(response.status, 402);
      assert.ok(error && 'accepts' in error);
      assert.equal(error.accepts[0]?.amount, '20000');
    });
  });

  describe('404', () => {
    it('says that nothing matches in a published feed without records, and uses no payment', async () => {
      const settler = createInstantSettler();
      const empty = await startTestApp({ withData: false, settler });
      try {
        await empty.pipeline.publish('all');
        const { error, response } = await purchase((headers) =>
          listHotDeals({ client: createApiClient(empty.url), headers }),
        );
        assert.deepEqual([response.status, error?.reason, settler.settled.length], [404, 'no_records_match', 0]);
      } finally {
        await empty.stop();
      }
    });
  });
});
