import assert from 'node:assert/strict';
import type { CompactDeal, Deal } from '../../generated/types.gen.js';
import { listDeals } from '../support/full-deals.js';
import type { Client } from '../../generated/client/index.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';

describe('the compact view of deals', () => {
  let app: SharedApp;
  let client: Client;
  before(async () => {
    app = await shareApp();
    client = createApiClient(app.url);
  });

  const buy = async (query: object) => (await purchase((headers) => listDeals({ client, headers, query }))).data ?? [];

  it('has the records of the full view, with the same figures, in the same order', async () => {
    const full: readonly Deal[] = await buy({});
    const compact = (await buy({ view: 'compact' })) as unknown as readonly CompactDeal[];
    assert.deepEqual(
      compact.map(({ id }) => id),
      full.map(({ id }) => id),
    );
    const ofBoth = Object.keys(compact[0] ?? {}).filter(
      (name) => !['price_per_unit', 'location_basis', 'absent'].includes(name),
    );
    assert.equal(ofBoth.length, 23);
    for (const [index, record] of compact.entries()) {
      const whole = full[index] ?? assert.fail();
      for (const name of ofBoth as (keyof Deal & keyof CompactDeal)[]) assert.deepEqual(record[name], whole[name]);
      const { list_price: price, units } = whole;
      const isPriced = price !== null && units !== null;
      assert.equal(record.price_per_unit, isPriced ? (Number(price) / units).toFixed(2) : null);
      for (const [name, reason] of Object.entries(record.absent))
        if (name !== 'price_per_unit') assert.deepEqual(reason, whole.absent[name as keyof Deal['absent']]);
    }
  });

  it('takes a tenth of the bytes: 0.75 kB on average, and no record over 1.1 kB', async () => {
    const sizes = (await buy({ view: 'compact' })).map((record) => Buffer.byteLength(JSON.stringify(record)));
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    assert.ok(mean <= 750 && Math.max(...sizes) <= 1_100, `mean ${mean}, largest ${Math.max(...sizes)}`);
  });
});
