import assert from 'node:assert/strict';
import { getPage } from '../../generated/sdk.gen.js';
import type { Client } from '../../generated/client/index.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { listDeals } from '../support/full-deals.js';
import type { DealQuery } from '../filters/reference-order.js';

describe('deals in an order that is asked for', () => {
  let app: SharedApp;
  let client: Client;
  before(async () => {
    app = await shareApp();
    client = createApiClient(app.url);
  });

  const buy = (query: DealQuery) => purchase((headers) => listDeals({ client, headers, query }));
  const idsOf = (data: readonly { readonly id: string }[] = []) => data.map(({ id }) => id);

  for (const query of [
    { sort: 'distance', near: '41.5,-81.7', radius: 100 },
    { sort: 'distance', order: 'desc', near: '44105', radius: 100, min_units: 3 },
    { sort: 'first_seen' },
    { sort: 'cap_gap', order: 'desc', state: ['OH'] },
  ] satisfies DealQuery[])
    it(`are the same page by page as at once: ${JSON.stringify(query)}`, async () => {
      const whole = idsOf((await buy(query)).data);
      assert.ok(whole.length > 20, `${whole.length} deals`);
      const { data, response } = await buy({ ...query, limit: 7 });
      const seen = idsOf(data);
      let link = response.headers.get('Link');
      for (; link !== null;) {
        const [, token = ''] = /\/api\/pages\/([^>]+)>/.exec(link) ?? [];
        const page = await getPage({ client, path: { token } });
        seen.push(...idsOf(page.data as { id: string }[]));
        link = page.response.headers.get('Link');
      }
      assert.deepEqual(seen, whole);
    });

  it('have no distance from nowhere', async () => {
    const { response, error } = await listDeals({ client, query: { sort: 'distance' } });
    assert.equal(response.status, 402);
    assert.deepEqual(error && 'errors' in error && error.errors, [
      { parameter: 'sort', in: 'query', reason: 'invalid_parameter', detail: 'sort=distance needs near' },
    ]);
  });
});
