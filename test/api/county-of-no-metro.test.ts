import assert from 'node:assert/strict';
import type { Client } from '../../generated/client/index.js';
import { listAuctions, listLeads, lookUpAddress } from '../../generated/sdk.gen.js';
import { known } from '../../src/absence.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';

describe('a sale in a county of no covered metro', () => {
  let app: TestApp;
  let client: Client;
  const now = () => new Date('2026-11-22T05:00:00.000Z');
  before(async () => {
    app = await startTestApp({ now, settler: createInstantSettler(), withData: false });
    client = createApiClient(app.url);
    const olathe = { countyFips: '20091', state: 'KS', address: known('600 Main St'), city: known('Olathe') };
    await readCountyRecords(app, { auctions: [observeAuction({ ...olathe, zip: known('66061') })] });
    await app.pipeline.publish('all');
  });
  after(() => app.stop());

  const window = { validAfter: 0n, validBefore: BigInt(now().getTime() / 1000 + 200) };
  const buy = (query: { county: string }) => purchase((headers) => listAuctions({ client, query, headers }), window);

  for (const county of ['Johnson', 'johnson county', 'Johnson, KS', 'Johnson County, KS'])
    it(`is found by ${county}`, async () => {
      const { data = [] } = await buy({ county });
      assert.deepEqual(
        data.map((sale) => sale.county),
        ['Johnson County, KS'],
      );
    });

  it('does not match another county, which is reported as outside coverage', async () => {
    const { error } = await buy({ county: 'Sedgwick' });
    assert.equal(error !== undefined && 'reason' in error ? error.reason : undefined, 'outside_coverage');
  });

  it('has the same county as a lead and in a lookup', async () => {
    const { data: leads = [] } = await purchase(
      (headers) => listLeads({ client, query: { county: 'Johnson' }, headers }),
      window,
    );
    assert.deepEqual(
      leads.map(({ county }) => county),
      ['Johnson County, KS'],
    );
    const query = { address: '600 Main St, Olathe, KS 66061' };
    const { data: found } = await purchase((headers) => lookUpAddress({ client, query, headers }), window);
    assert.deepEqual(found?.coverage, { county: 'Johnson County, KS', covered: true, absent: {} });
  });
});
