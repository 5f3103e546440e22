import assert from 'node:assert/strict';
import type { Auction, Deal, Signal } from '../../../generated/types.gen.js';
import { concatBytes } from '../../../src/contract/rendered.js';
import { startTestApp, type TestApp } from '../../support/app.js';

describe('the county records of a demonstration', () => {
  let app: TestApp;
  let deals: readonly Deal[];
  let auctions: readonly Auction[];
  before(async () => {
    app = await startTestApp({ withData: false });
    await app.deliver(app.now());
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    const all = { filter: {}, limit: 10_000 };
    deals = parse<Deal>((await app.feeds.deals.page('full', all)).body);
    auctions = parse<Auction>((await app.feeds.auctions.page('full', all)).body);
  });
  after(() => app.stop());
  const parse = <T>(body: Parameters<typeof concatBytes>[0]) =>
    JSON.parse(Buffer.from(concatBytes(body)).toString('utf8')) as readonly T[];

  it('match deals for sale with unpaid taxes and with sheriff sales', () => {
    for (const code of ['tax_delinquent_match', 'sheriff_sale_match'])
      assert.ok(
        deals.filter((deal) => deal.motivation_signals.some((signal) => signal.code === code)).length >= 10,
        code,
      );
  });

  it('include upcoming sheriff sales with a street address, an appraisal and an opening bid', () => {
    const complete = auctions.filter(
      (sale) => sale.property_address !== null && sale.appraised_value !== null && sale.opening_bid !== null,
    );
    assert.ok(complete.length >= 40, `${complete.length}`);
    assert.ok(auctions.every((sale) => sale.provenance.data_class === 'demonstration'));
  });

  it('state why a signal has no street address', async () => {
    const { body } = await app.feeds.signals.page('full', { filter: {}, limit: 10_000 });
    const statuses = new Set(parse<Signal>(body).map((signal) => signal.address_status));
    for (const status of ['complete', 'pending_parcel_lookup', 'parcel_lookup_failed', 'no_situs_address'] as const)
      assert.ok(statuses.has(status), status);
  });
});
