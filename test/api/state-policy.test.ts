import assert from 'node:assert/strict';
import type { Auction, Deal, DealIds, Lead, Lookup, Meta, Report } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { dropListings } from '../support/drop-listings.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { askPrice, buy, signPayment } from '../support/pay.js';
import { ask, assertProblem } from '../support/raw-http.js';

const street = '100 Example Ave';
const city = 'Kansas City';
const zip = '66101';
const defendant = 'EXAMPLE DEFENDANT';
const byPolicy = { reason: 'suppressed_by_policy' };

/** One property is for sale, in debt, and in a sheriff's sale. Source: K.S.A. 45-230. */
describe('a property in Kansas, whose law forbids lists of names and addresses', () => {
  let app: TestApp;
  let id: string;
  before(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
    dropListings(app.config.dropDirectory, `B-1,${street},${city},KS,${zip},300000,4,9.5`);
    await app.pipeline.ingest();
    const place = { countyFips: '20209', state: 'KS', address: known(street), city: known(city), zip: known(zip) };
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    await readCountyRecords(app, {
      signals: [observeSignal(place)],
      auctions: [observeAuction({ ...place, saleDate, defendant: known(defendant) })],
    });
    await app.pipeline.publish('all');
    const index = (await (await fetch(`${app.url}/api/deals/ids`)).json()) as DealIds;
    id = index.ids[0]?.id ?? assert.fail('nothing is published');
  });
  after(() => app.stop());

  async function read<Body>(path: string): Promise<Body> {
    const response = await buy(app.url + path);
    assert.equal(response.status, 200, path);
    const text = await response.text();
    assert.ok(!text.includes(defendant), path);
    return JSON.parse(text) as Body;
  }

  async function assertNothing(path: string): Promise<void> {
    const payment = await signPayment(await askPrice(app.url + path));
    assertProblem(await ask(app.url, path, { headers: { 'PAYMENT-SIGNATURE': payment } }), 404, 'no_records_match');
  }

  it('has its tax debt stored, but in no signals feed', async () => {
    assert.equal((await app.database.knex('signals')).length, 1);
    await assertNothing('/api/signals');
    const meta = (await (await fetch(`${app.url}/api/meta`)).json()) as Meta;
    assert.equal(meta.signals_feed.coverage.total_signals, 0);
    assert.ok(!JSON.stringify(meta).includes(defendant));
  });

  it('has its sale in the auctions feed without the defendant', async () => {
    const [sale] = await read<Auction[]>('/api/auctions');
    assert.deepEqual([sale?.state, sale?.defendant, sale?.absent.defendant], ['KS', null, byPolicy]);
  });

  it('is a deal motivated by the sale, and not by the debt', async () => {
    const [deal] = await read<Deal[]>('/api/deals');
    const codes = deal?.motivation_signals.map(({ code }) => code) ?? [];
    assert.ok(codes.includes('sheriff_sale_match') && !codes.includes('tax_delinquent_match'), codes.join(' '));
  });

  it('has the sale in its report, and not the debt', async () => {
    const { signals, auctions } = await read<Report>(`/api/deals/${id}/report`);
    assert.deepEqual([signals.length, auctions.length], [0, 1]);
  });

  it('has only the deal and the sale in its lookup', async () => {
    const line = encodeURIComponent(`${street}, ${city}, KS ${zip}`);
    const { matches } = await read<Lookup>(`/api/lookup?address=${line}`);
    assert.deepEqual(
      matches.map(({ entity }) => entity),
      ['deal', 'auction'],
    );
  });

  it('is a lead by its sale and its listing, without the defendant, and never by its debt', async () => {
    const leads = await read<Lead[]>('/api/leads');
    assert.deepEqual(leads.map(({ lead_type }) => lead_type).sort(), ['motivated_listing', 'sheriff_sale_auction']);
    const sale = leads.find((lead) => lead.lead_type === 'sheriff_sale_auction');
    assert.ok(sale?.lead_type === 'sheriff_sale_auction');
    assert.deepEqual([sale.defendant, sale.absent.defendant], [null, byPolicy]);
    await read<unknown>('/api/leads/exclusive?lead_type=sheriff_sale_auction');
    await assertNothing('/api/leads?lead_type=tax_delinquent_owner');
  });
});
