import assert from 'node:assert/strict';
import { known } from '../src/absence.js';
import { observeSignal } from './signals/observed-signal.js';
import { startTestApp, type TestApp } from './support/app.js';
import { readCountyRecords } from './support/county-records.js';
import { dropListings } from './support/drop-listings.js';

describe('the publication of leads', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false });
    dropListings(app.config.dropDirectory);
    await app.work.ingest();
    await app.work.underwrite('due');
    await readCountyRecords(app, { signals: [observeSignal({ address: known('100 Example Ave') })] });
    await app.work.publish('all');
  });
  after(() => app.stop());

  const leadsShown = async () => (await app.feeds.leads.page('full', { filter: {}, limit: 10 })).ids.length;

  it('shows no lead of a deal that was taken back after the deals were read', async () => {
    assert.equal(await leadsShown(), 2, 'the debt, and the deal that it is of');
    let suppression: Promise<void> | undefined;
    await app.work.publish('all', ({ feed }) => {
      if (feed === 'deals')
        suppression ??= app.work.suppress({ address: '100 Example Ave, Cleveland, OH 44105', reason: 'asked' });
    });
    await suppression;
    assert.notEqual(suppression, undefined);
    assert.equal(await leadsShown(), 0);
  });
});
