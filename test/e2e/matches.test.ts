import assert from 'node:assert/strict';
import type { Client } from '../../generated/client/index.js';
import { getReport } from '../../generated/sdk.gen.js';
import { listDeals } from '../support/full-deals.js';
import type { Deal } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler } from '../support/instant-settler.js';

describe('a deal with matching county records', () => {
  let app: TestApp;
  let client: Client;
  let before_: Deal;
  before(async () => {
    app = await startTestApp({ settler: createInstantSettler() });
    client = createApiClient(app.url);
    const { data: deals = [] } = await purchase((headers) => listDeals({ client, headers, query: { state: ['OH'] } }));
    const deal = deals.find(({ address, zip, county }) => address !== null && zip !== null && county === 'Cuyahoga');
    assert.ok(deal);
    before_ = deal;
    const place = { address: known(String(deal.address)), city: known(deal.city), zip: known(String(deal.zip)) };
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    await readCountyRecords(app, {
      signals: [observeSignal({ ...place, amount: '999999.99' })],
      auctions: [observeAuction({ ...place, saleDate })],
    });
    await app.pipeline.publish('day');
  });
  after(() => app.stop());

  const buyReport = () => purchase((headers) => getReport({ client, path: { id: before_.id }, headers }));

  it('scores higher for the debt and the sale, and gives the reason', async () => {
    const { data } = await buyReport();
    assert.ok(data && 'deal' in data);
    const { deal } = data;
    const codes = deal.motivation_signals.map(({ code }) => code);
    assert.ok(codes.includes('tax_delinquent_match') && codes.includes('sheriff_sale_match'), codes.join(' '));
    assert.equal(deal.motivation_score, before_.motivation_score + 2);
    assert.ok(deal.deal_score > before_.deal_score, `${deal.deal_score} after ${before_.deal_score}`);
  });

  it("has them in its report, with the match and the record's address", async () => {
    const { data } = await buyReport();
    assert.ok(data && 'signals' in data && 'auctions' in data);
    const [signal, auction] = [data.signals[0], data.auctions[0]];
    assert.deepEqual(
      [signal?.match_type, signal?.confidence, signal?.amount],
      ['exact_normalized', '0.98', '999999.99'],
    );
    assert.equal(signal?.source_url, observeSignal().sourceUrl);
    assert.deepEqual([auction?.match_type, auction?.sale_status], ['exact_normalized', 'scheduled']);
  });

  it('hides them once they have left their feed', async () => {
    await app.database
      .knex('sources')
      .where({ name: 'county-signals' })
      .update({ removed_at: app.now(), changed_at: app.now() });
    await app.pipeline.publish('day');
    const { data } = await buyReport();
    assert.ok(data && 'signals' in data && 'auctions' in data);
    assert.deepEqual([data.signals.length, data.auctions.length], [0, 1]);
  });
});
