import assert from 'node:assert/strict';
import { listDealIds } from '../../generated/sdk.gen.js';
import { listDeals } from '../support/full-deals.js';
import type { Client } from '../../generated/client/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { createInstantSettler } from '../support/instant-settler.js';

describe('listDealIds', () => {
  let app: TestApp;
  let client: Client;
  before(async () => {
    app = await startTestApp({ settler: createInstantSettler() });
    client = createApiClient(app.url);
  });
  after(() => app.stop());

  describe('200', () => {
    it('lists every deal with its place in the order of the feed, free', async () => {
      const { data: ids, response } = await listDealIds({ client });
      const { data: deals = [] } = await purchase((headers) => listDeals({ client, headers }));
      assert.equal(ids?.count, deals.length);
      const expected = deals.map(({ id, state, city, last_verified }) => [id, state, city, last_verified]);
      assert.deepEqual(
        ids?.ids.map(({ id, state, city, last_verified }) => [id, state, city, last_verified]),
        expected,
      );
      assert.equal(response.headers.get('Feed-Version'), String(app.feeds.deals.current().version));
    });

    it('reveals nothing that is sold: only an id, its place, its day and its report URL', async () => {
      const { data } = await listDealIds({ client });
      for (const entry of data?.ids ?? []) {
        assert.deepEqual(Object.keys(entry).sort(), ['city', 'id', 'last_verified', 'report_url', 'state']);
      }
    });
  });

  it('omits every deal that was taken down, at once', async () => {
    const before = await listDealIds({ client });
    const { data: deals = [] } = await purchase((headers) => listDeals({ client, headers }));
    const { id, address, city, state, zip } = deals.find(({ zip }) => zip !== null) ?? assert.fail();
    await app.pipeline.suppress({ address: `${address}, ${city}, ${state} ${zip}`, reason: 'asked by its owner' });
    const after = await listDealIds({ client });
    const left = before.data?.ids.filter((entry) => entry.id !== id);
    assert.deepEqual(after.data, { ...before.data, count: left?.length, ids: left });
    assert.notEqual(after.response.headers.get('ETag'), before.response.headers.get('ETag'));
    await app.pipeline.publishIfBehind();
    assert.deepEqual((await listDealIds({ client })).data?.ids, left);
  });

  describe('400', () => {
    it('refuses a parameter: nothing is ignored silently', async () => {
      const { response, error } = await listDealIds({ client, query: { state: 'OH' } as never });
      assert.deepEqual([response.status, error?.reason], [400, 'unknown_parameter']);
    });
  });
});
