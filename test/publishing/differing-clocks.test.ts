import assert from 'node:assert/strict';
import { known } from '../../src/absence.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { dropListings } from '../support/drop-listings.js';

const address = '100 Example Ave, Cleveland, OH 44105';
const noonMs = Date.parse('2026-11-22T12:00:00.000Z');

/** Asks for all that a feed shows, in its version now or in the one that is named. */
const allOf = (version?: number) => ({ filter: {}, limit: 10, ...(version !== undefined && { version }) });

describe('a property that was suppressed by a clock that is behind the one it was published by', () => {
  let app: TestApp;
  let nowMs: number;
  let firstVersion: number;
  before(async () => {
    nowMs = noonMs;
    app = await startTestApp({ withData: false, now: () => new Date(nowMs) });
    dropListings(app.config.dropDirectory);
    await app.pipeline.ingest();
    await readCountyRecords(app, { signals: [observeSignal({ address: known('100 Example Ave') })] });
    await app.pipeline.publish('all');
    firstVersion = app.feeds.deals.current().version;
  });
  after(() => app.stop());

  async function countShown(version?: number): Promise<readonly number[]> {
    const { deals, signals, leads } = app.feeds;
    const pages = [await deals.page('full', allOf(version)), await signals.page('full', allOf(version))];
    return [...pages, await leads.page('full', allOf(version))].map(({ ids }) => ids.length);
  }

  it('is shown no more from that moment on', async () => {
    assert.deepEqual(await countShown(), [1, 1, 2]);
    nowMs -= 600_000;
    await app.pipeline.suppress({ address, reason: 'asked by its owner' });
    assert.deepEqual(await countShown(), [0, 0, 0]);
  });

  it('is published without by the next job, once', async () => {
    const { retired, signals, leads } = (await app.pipeline.publishIfBehind()) ?? assert.fail();
    assert.deepEqual([retired, signals, leads], [1, 1, 2]);
    assert.equal(app.feeds.deals.hasTakedowns(), false);
    assert.equal(await app.pipeline.publishIfBehind(), undefined);
  });

  it('is on no page of the version that was bought before', async () => {
    assert.deepEqual(await countShown(firstVersion), [0, 0, 0]);
  });

  it('leaves what is suppressed by that clock later no more shown than by any other', async () => {
    dropListings(app.config.dropDirectory, 'B-2,200 Example Ave,Cleveland,OH,44105,300000,4,9.5');
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    assert.deepEqual(await countShown(), [1, 0, 0]);
    nowMs += 60_000;
    await app.pipeline.suppress({ address: '200 Example Ave, Cleveland, OH 44105', reason: 'asked by its owner' });
    assert.deepEqual(await countShown(), [0, 0, 0]);
  });
});

describe('a source that is removed when the clock has been put back behind the last publication', () => {
  let app: TestApp;
  let nowMs: number;
  let firstVersion: number;
  before(async () => {
    nowMs = noonMs;
    app = await startTestApp({ withData: false, now: () => new Date(nowMs) });
    dropListings(app.config.dropDirectory);
    dropListings(app.config.dropDirectory, 'C-1,300 Example Ave,Cleveland,OH,44105,300000,4,9.5', { name: 'others' });
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    firstVersion = app.feeds.deals.current().version;
    nowMs -= 3_600_000;
  });
  after(() => app.stop());

  const countShown = async (version?: number) => (await app.feeds.deals.page('full', allOf(version))).ids.length;

  it('is shown no more from that moment on', async () => {
    assert.equal(await countShown(), 2);
    await app.pipeline.setSourceRemoved('brokers', true);
    assert.equal(await countShown(), 1);
  });

  it('is published without by the next job, once', async () => {
    nowMs += 60_000;
    assert.equal((await app.pipeline.publishIfBehind())?.retired, 1);
    assert.equal(app.feeds.deals.hasTakedowns(), false);
    assert.equal(await app.pipeline.publishIfBehind(), undefined);
    assert.equal(await countShown(), 1);
  });

  it('is on no page of the version that was bought before', async () => {
    assert.equal(await countShown(firstVersion), 1);
  });
});

describe('what is read when the clock has been put back behind the last publication', () => {
  it('is published by the next publication of what has changed', async () => {
    let nowMs = noonMs;
    const app = await startTestApp({ withData: false, now: () => new Date(nowMs) });
    try {
      await app.pipeline.publish('all');
      nowMs -= 3_600_000;
      await readCountyRecords(app, { signals: [observeSignal({ address: known('100 Example Ave') })] });
      nowMs += 300_000;
      assert.equal((await app.pipeline.publish('changed')).signals, 1);
    } finally {
      await app.stop();
    }
  });
});
