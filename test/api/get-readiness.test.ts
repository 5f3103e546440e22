import assert from 'node:assert/strict';
import { getHealth, getReadiness } from '../../generated/sdk.gen.js';
import { createApiClient } from '../support/api-client.js';
import { fillAsBefore, startTestApp, type TestApp } from '../support/app.js';

describe("the operator's probes", () => {
  let app: TestApp;
  before(async () => (app = await startTestApp({ withData: false })));
  after(() => app.stop());

  describe('getHealth', () => {
    it('200: answers before any feed is published, and is never cached', async () => {
      const { data, response } = await getHealth({ client: createApiClient(app.url) });
      assert.deepEqual([response.status, data], [200, { status: 'alive' }]);
      assert.equal(response.headers.get('Cache-Control'), 'no-store');
    });
  });

  describe('getReadiness', () => {
    it('503 before the first publication, then 200', async () => {
      const client = createApiClient(app.url);
      const { error, response } = await getReadiness({ client });
      assert.equal(response.status, 503);
      assert.equal(error?.detail, 'Not ready: data.feed: No feed is published yet. npm run cli -- run listings');
      assert.equal(response.headers.get('Retry-After'), '5');
      await fillAsBefore(app);
      assert.deepEqual((await getReadiness({ client })).data, { status: 'ready' });
    });

    it('503 without a chain to settle on, when nothing can be sold', async () => {
      const environment = { ANVIL_BIN: '/nonexistent/anvil' };
      const chainless = await startTestApp({ withData: false, environment });
      try {
        const client = createApiClient(chainless.url);
        assert.equal((await getHealth({ client })).response.status, 200);
        const { error, response } = await getReadiness({ client });
        assert.equal(response.status, 503);
        assert.match(error?.detail ?? '', /anvil/i);
      } finally {
        await chainless.stop();
      }
    });
  });
});
