import assert from 'node:assert/strict';
import { readSomeCountyRecords } from '../support/county-records.js';
import { startTestApp, type TestApp } from '../support/app.js';

describe('the first publication', () => {
  let app: TestApp;
  before(async () => (app = await startTestApp({ withData: false })));
  after(() => app.stop());

  const versions = () =>
    Object.fromEntries(Object.entries(app.feeds).map(([name, feed]) => [name, feed.current().version]));
  const statusOf = async (path: string) => (await fetch(app.url + path)).status;

  it('is not brought about by a suppression before anything was read: it would say that nothing is there', async () => {
    await app.pipeline.suppress({ address: '9 Nowhere Rd, Cleveland, OH 44105', reason: 'asked by its owner' });
    assert.equal(await app.pipeline.publishIfBehind(), undefined);
    await app.pipeline.refresh();
    assert.equal(await statusOf('/api/deals'), 503);
  });

  it('sells the deals while no county source was read, and names the feeds that wait', async () => {
    await app.deliver(app.now());
    await app.pipeline.ingest(undefined, { delivers: ['listings'] });
    await app.pipeline.publish('all');
    // The thirty before are those of the demonstration's past.
    assert.deepEqual(versions(), { deals: 31, signals: 0, auctions: 0, leads: 0 });
    assert.deepEqual([await statusOf('/api/deals'), await statusOf('/api/signals')], [402, 503]);
    const probe = await fetch(`${app.url}/readyz`);
    const told = { status: 'ready', not_yet_published: ['signals', 'auctions', 'leads'] };
    assert.deepEqual([probe.status, await probe.json()], [200, told]);
  });

  it('publishes county records and all leads with the changes, once county sources were read', async () => {
    await readSomeCountyRecords(app);
    await app.pipeline.publish('changed');
    assert.ok(Object.values(versions()).every((version) => version > 0));
    const whole = app.feeds.leads.current().records.length;
    await app.pipeline.publish('all');
    assert.ok(whole > 60);
    assert.equal(app.feeds.leads.current().records.length, whole);
    assert.deepEqual(await (await fetch(`${app.url}/readyz`)).json(), { status: 'ready' });
  });
});
