import assert from 'node:assert/strict';
import type { Figures } from '../src/door/desk.js';
import { randomBytes } from 'node:crypto';
import { absent, known } from '../src/absence.js';
import type { ObservedAuction } from '../src/auctions/auction.js';
import { observeAuction } from './auctions/observed-auction.js';
import { observeSignal } from './signals/observed-signal.js';
import { startTestApp, type TestApp } from './support/app.js';
import { readCountyRecords } from './support/county-records.js';
import { dropListings } from './support/drop-listings.js';
import { createInstantSettler } from './support/instant-settler.js';
import { buy } from './support/pay.js';

describe('the publication of leads', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
    dropListings(app.config.dropDirectory);
    await app.work.ingest();
    await readCountyRecords(app, { signals: [observeSignal({ address: known('100 Example Ave') })] });
    await app.work.publish('all');
  });
  after(() => app.stop());

  const leadsShown = async () => (await app.feeds.leads.page('full', { filter: {}, limit: 10 })).ids.length;

  it('shows no lead of a deal that was taken back after the deals were read', async () => {
    assert.equal(await leadsShown(), 2, 'the debt, and the deal that it is of');
    let suppression: Promise<void> | undefined;
    const onProgress = ({ feed }: Figures): void => {
      if (feed === 'deals')
        suppression ??= app.work.suppress({ address: '100 Example Ave, Cleveland, OH 44105', reason: 'asked' });
    };
    await app.work.publish('all', { onProgress });
    await suppression;
    assert.notEqual(suppression, undefined);
    assert.equal(await leadsShown(), 0);
  });

  it('keeps a lead sold whose sale got another id', async () => {
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    const sale = { saleDate, address: known('7 Sale St'), parcelId: known('7-7') };
    const readSale = async (caseNumber: ObservedAuction['caseNumber']): Promise<readonly string[]> => {
      await readCountyRecords(app, { auctions: [observeAuction({ ...sale, caseNumber })] });
      await app.work.publish('all');
      const leads = await buy(`${app.url}/api/leads?lead_type=sheriff_sale_auction`);
      return leads.status === 404 ? [] : ((await leads.json()) as { id: string }[]).map(({ id }) => id);
    };
    const [lead] = await readSale(absent('not_stated_by_source'));
    const key = { network: 'test', asset: randomBytes(20), payer: randomBytes(20), nonce: randomBytes(32) };
    const until = new Date(app.now().getTime() + 30 * 86_400_000);
    await app.database
      .knex('lead_holds')
      .insert({ lead_id: lead, round: 1, held_at: new Date(0), held_until: until, ...key });
    assert.deepEqual(await readSale(known('CV-26-7')), []);
    const [held] = await app.database.knex('lead_holds').select<{ lead_id: string }[]>('lead_id');
    assert.notEqual(held?.lead_id, lead);
  });
});
