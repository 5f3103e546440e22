import assert from 'node:assert/strict';
import { listBasicDeals } from '../../generated/sdk.gen.js';
import { listDeals } from '../support/full-deals.js';
import type { Client } from '../../generated/client/index.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { createApiClient, purchase } from '../support/api-client.js';

describe('listBasicDeals', () => {
  let app: SharedApp;
  let client: Client;
  before(async () => {
    app = await shareApp();
    client = createApiClient(app.url);
  });

  describe('200', () => {
    it('returns the same deals in the same order with fewer columns, each equal to its full record', async () => {
      const query = { min_score: 30 };
      const { data: full = [] } = await purchase((headers) => listDeals({ client, headers, query }));
      const { data: basic = [] } = await purchase((headers) => listBasicDeals({ client, headers, query }));
      assert.ok(basic.length > 50);
      assert.deepEqual(
        basic.map(({ id }) => id),
        full.map(({ id }) => id),
      );
      basic.forEach((record, index) => {
        const { absent, ...columns } = record;
        const whole = full[index];
        assert.ok(whole);
        for (const [name, value] of Object.entries(columns)) assert.equal(Reflect.get(whole, name), value, name);
        for (const [name, reason] of Object.entries(absent))
          assert.deepEqual(Reflect.get(whole.absent, name), reason, name);
      });
    });
  });

  describe('402', () => {
    it('asks for one cent', async () => {
      const { error } = await listBasicDeals({ client });
      assert.ok(error && 'accepts' in error);
      assert.equal(error.accepts[0]?.amount, '10000');
    });
  });

  describe('400', () => {
    it('refuses an invalid value in a paid request', async () => {
      const { error, response } = await purchase((headers) =>
        listBasicDeals({ client, headers, query: { min_score: 101 } }),
      );
      assert.deepEqual([response.status, error?.reason], [400, 'invalid_parameter']);
    });
  });

  describe('404', () => {
    it('gives the reason when nothing matches', async () => {
      const { error, response } = await purchase((headers) =>
        listBasicDeals({ client, headers, query: { city: 'Atlantis' } }),
      );
      assert.deepEqual([response.status, error?.reason], [404, 'no_records_match']);
    });
  });
});
