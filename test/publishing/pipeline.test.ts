import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJobRunsStore } from '../../jobs/job-runs-store.js';
import { openOperatorCommands } from '../../jobs/open-operator-commands.js';
import type { Deal } from '../../generated/types.gen.js';
import { readRendered } from '../../src/contract/rendered.js';
import { OperatorError } from '../../src/errors.js';
import { plainManifest } from '../sources/formats/drop-feed.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropListings, dropMore } from '../support/drop-listings.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { assertProblem, buyRaw } from '../support/raw-http.js';

describe('the work on the feed', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false });
  });
  after(() => app.stop());

  it('reports a delivery folder that it refuses, with the reason, and reads the others', async () => {
    await app.deliver(app.now());
    mkdirSync(join(app.config.dropDirectory, 'my-broker'), { recursive: true });
    writeFileSync(join(app.config.dropDirectory, 'my-broker', 'manifest.json'), '{');
    const reports = await app.pipeline.ingest(undefined, { delivers: ['listings'] });
    const refused = reports.filter(({ status }) => status === 'refused');
    assert.deepEqual(
      refused.map(({ source, problem, rows }) => ({ source, problem, rows })),
      [
        {
          source: 'my-broker',
          problem: 'manifest.json is not JSON. Check it with a JSON tool and load again.',
          rows: 0,
        },
      ],
    );
    assert.equal(reports.filter(({ status }) => status === 'completed').length, 5);
  });

  it('reads only what is chosen, and says which sources there are when asked for another', async () => {
    await app.deliver(app.now());
    const one = await app.pipeline.ingest(undefined, { source: 'demo-owners', dryRun: true });
    assert.deepEqual(
      one.map(({ source, status }) => [source, status]),
      [['demo-owners', 'tried']],
    );
    await assert.rejects(app.pipeline.ingest(undefined, { source: 'nothing' }), /no source "nothing".*demo-owners/);
  });
});

describe('a stop of the work on the feed', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false });
    await app.deliver(app.now());
  });
  after(() => app.stop());

  it('begins with no further source', async () => {
    const stop = new AbortController();
    let begun = 0;
    app.database.knex.on('query', ({ sql }: { sql: string }) => {
      if (sql.startsWith('insert into "source_runs"')) begun += 1;
    });
    const onProgress = () => stop.abort(new Error('The process is stopping.'));
    await assert.rejects(
      app.pipeline.ingest(onProgress, { delivers: ['rents', 'listings'], signal: stop.signal }),
      /stopping/,
    );
    assert.equal(begun, 1);
  });
});

describe('the commands on a feed', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
    dropListings(app.config.dropDirectory);
  });
  after(() => app.stop());
  const commands = () => openOperatorCommands(app);
  const ingest = (source: string, how: { dryRun?: boolean; acceptShrink?: boolean } = {}) =>
    commands().runOrder({ do: 'ingest', source, dryRun: false, acceptShrink: false, ...how }, () => {});

  async function readOnlyDeal(): Promise<Deal> {
    const { body } = await app.feeds.deals.page('full', { filter: {}, limit: 2 });
    const [deal, ...others] = readRendered(body);
    assert.ok(deal && others.length === 0);
    return deal;
  }

  it('reads one source when ordered, and tells how it stands', async () => {
    const tried = await ingest('brokers', { dryRun: true });
    assert.deepEqual([tried['status'], tried['accepted']], ['tried', 1]);
    assert.deepEqual((await commands().listSources()).slice(1), []);
    const read = await ingest('brokers');
    assert.deepEqual([read['status'], read['created']], ['completed', 1]);
    const [, row] = await commands().listSources();
    assert.deepEqual(row?.slice(0, 5), ['brokers', 'drop-folder', 'listings', 'fresh', '1']);
  });

  it('tells beside how much is done how much there is, where that is known', async () => {
    const told: unknown[] = [];
    const note = (figures: unknown): void => void told.push(figures);
    await app.pipeline.ingest(note, { source: 'brokers', dryRun: true });
    assert.deepEqual(told, [{ rows: 1, of: 1, source: 'brokers', accepted: 1, rejected: 0, created: 0 }]);
  });

  it('shows a property no more when ordered, and keeps its address out of the history', async () => {
    await app.pipeline.publish('all');
    assert.equal(app.feeds.deals.current().records.length, 1);

    const address = '100 Example Ave, Cleveland, OH 44105';
    await commands().runOrder({ do: 'suppress-address', address, reason: 'asked by its owner' }, () => {});
    assert.equal(app.feeds.deals.current().records.length, 0);
    const history = JSON.stringify(await app.database.knex('job_runs'));
    assert.ok(!/example ave/i.test(history));
  });

  it('notes at once what is to be shown no more while something else runs, says so, and the next job takes it out', async () => {
    dropListings(app.config.dropDirectory, 'B-1,300 Example Ave,Cleveland,OH,44105,300000,4,9.5');
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    assert.equal(app.feeds.deals.current().records.length, 1);
    const reading = {
      job: 'signals',
      lane: 'feed',
      owner: 'elsewhere',
      maxAttempts: 1,
      slot: app.now(),
      leaseMs: 60_000,
    };
    const runs = createJobRunsStore(app.database.knex);
    const held = await runs.claim(reading);
    assert.ok(held.status === 'claimed');

    const address = '300 Example Ave, Cleveland, OH 44105';
    const lookup = `/api/lookup?address=${encodeURIComponent(address)}`;
    const wish = { do: 'suppress-address', address, reason: 'asked by its owner' } as const;
    const told = await commands().runOrder(wish, () => {});
    assert.match(String(told['suppression']), /^recorded/);
    assert.match(String(told['publication']), /^waits/);
    assertProblem(await buyRaw(app.url + lookup), 404, 'no_match');

    await runs.finish(held.claim, { state: 'succeeded', summary: {} });
    await commands().runJob('licences', () => {});
    assert.equal(app.feeds.deals.current().records.length, 0);
    assert.deepEqual(await commands().runJob('licences', () => {}), {});
  });

  it('sells no new price with the figures of the old one when it publishes without a property', async () => {
    dropListings(app.config.dropDirectory, 'B-1,400 Example Ave,Cleveland,OH,44105,300000,4,9.5');
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    dropListings(app.config.dropDirectory, 'B-1,400 Example Ave,Cleveland,OH,44105,600000,4,9.5');
    await app.pipeline.ingest();
    const wish = { do: 'suppress-parcel', countyFips: '39035', parcelId: '131-01-777', reason: 'x' } as const;
    await commands().runOrder(wish, () => {});
    const sold = await readOnlyDeal();
    assert.equal(sold.list_price, '600000.00');
    await app.pipeline.publish('all');
    assert.equal(sold.cap_rate_underwritten, (await readOnlyDeal()).cap_rate_underwritten);
  });

  it('suppresses no parcel of a county that there is not', async () => {
    const wish = { countyFips: '99999', parcelId: '131-01-888', reason: 'x' };
    await assert.rejects(app.pipeline.suppress(wish), /^OperatorError: "99999" is no county: --county takes/);
  });

  it('publishes without a property also where a clock that is behind says that it was on the list before', async () => {
    dropListings(app.config.dropDirectory, 'B-1,500 Example Ave,Cleveland,OH,44105,300000,4,9.5');
    await app.pipeline.ingest();
    await app.pipeline.suppress({ countyFips: '39035', parcelId: '131-01-888', reason: 'x' });
    await app.pipeline.publishIfBehind();
    assert.equal(app.feeds.deals.current().records.length, 1);
    // As another instance does it, some seconds behind.
    await app.pipeline.suppress({ address: '500 Example Ave, Cleveland, OH 44105', reason: 'x' });
    const before = new Date(app.now().getTime() - 5_000);
    await app.database.knex.raw(
      `update suppressions set created_at = ? where created_at = (select max(created_at) from suppressions)`,
      [before],
    );
    assert.equal((await app.pipeline.publishIfBehind())?.retired, 1);
  });

  it('says that a property is on the list also where the publication without it fails', async () => {
    const pipeline = { ...app.pipeline, publishIfBehind: () => Promise.reject(new Error('The disk is full.')) };
    const wish = { do: 'suppress-parcel', countyFips: '39035', parcelId: '131-01-001', reason: 'x' } as const;
    const order = openOperatorCommands({ ...app, pipeline }).runOrder(wish, () => {});
    await assert.rejects(order, /failed: The disk is full. The suppression is recorded/);
  });

  it('says what is wrong with an order', async () => {
    await assert.rejects(ingest('nothing'), /There is no source "nothing". The sources are .*brokers/);
    const wish = { do: 'suppress-address', address: 'nowhere', reason: 'x' } as const;
    await assert.rejects(
      commands().runOrder(wish, () => {}),
      OperatorError,
    );
  });
});

describe('a licence that ends between two publications', () => {
  it('takes the rows of its source out of the feed, once, and out of nothing else', async () => {
    let now = new Date('2026-11-22T12:00:00.000Z');
    const app = await startTestApp({ withData: false, now: () => now });
    try {
      dropListings(app.config.dropDirectory);
      const licence = { ...plainManifest.licence, expiresAt: '2026-11-22T18:00:00Z' };
      const manifest = { ...plainManifest, licence };
      writeFileSync(join(app.config.dropDirectory, 'brokers', 'manifest.json'), JSON.stringify(manifest));
      await app.pipeline.ingest();
      await app.pipeline.publish('all');
      assert.equal(app.feeds.deals.current().records.length, 1);

      now = new Date('2026-11-22T17:59:59.999Z');
      assert.equal(await app.pipeline.publishIfBehind(), undefined);
      now = new Date('2026-11-22T18:00:00.000Z');
      assert.equal((await app.pipeline.publishIfBehind())?.retired, 1);
      assert.equal(app.feeds.deals.current().records.length, 0);
      assert.equal(await app.pipeline.publishIfBehind(), undefined);
    } finally {
      await app.stop();
    }
  });

  it('takes them out also where it is configured to have ended before', async () => {
    let now = new Date('2026-11-22T12:00:00.000Z');
    const app = await startTestApp({ withData: false, now: () => now });
    try {
      dropListings(app.config.dropDirectory);
      await app.pipeline.ingest();
      await app.pipeline.publish('all');
      assert.equal(app.feeds.deals.current().records.length, 1);

      now = new Date('2026-11-22T15:00:00.000Z');
      const licence = { ...plainManifest.licence, expiresAt: '2026-11-22T00:00:00Z' };
      const manifest = { ...plainManifest, licence };
      writeFileSync(join(app.config.dropDirectory, 'brokers', 'manifest.json'), JSON.stringify(manifest));
      const [report] = await app.pipeline.ingest();
      assert.equal(report?.status, 'refused');
      now = new Date('2026-11-22T15:01:00.000Z');
      assert.equal((await app.pipeline.publishIfBehind())?.retired, 1);
      assert.equal(app.feeds.deals.current().records.length, 0);
      assert.equal(await app.pipeline.publishIfBehind(), undefined);
    } finally {
      await app.stop();
    }
  });

  it('takes them out between two pages and two sources, while others are still to be read, and underwrites what has come', async () => {
    let now = new Date('2026-11-22T12:00:00.000Z');
    const app = await startTestApp({ withData: false, now: () => now });
    try {
      const { dropDirectory } = app.config;
      const licence = { ...plainManifest.licence, expiresAt: '2026-11-22T18:00:00Z' };
      dropListings(dropDirectory, undefined, { licence });
      await app.pipeline.ingest();
      await app.pipeline.publish('all');
      const idsShown = () => [...app.feeds.deals.current().records].map(({ id }) => id);
      const [ended] = idsShown();

      const agency = 'A-1,200 Sample St,Cleveland,OH,44105,300000,4,9.5';
      dropListings(dropDirectory, agency, { name: 'an-agency', file: '*.csv' });
      dropMore(dropDirectory, 'A-2,210 Sample St,Cleveland,OH,44105,300000,4,9.5', 'an-agency');
      dropListings(dropDirectory, 'Z-1,300 Sample St,Cleveland,OH,44105,300000,4,9.5', { name: 'z-owners' });
      const shown = new Map<string, readonly string[]>();
      await app.pipeline.ingest(({ source, rows }) => {
        shown.set(`${source} ${rows}`, idsShown());
        now = new Date('2026-11-22T18:00:00.000Z');
      });
      assert.deepEqual(shown.get('an-agency 1'), [ended]);
      const [come, ...others] = shown.get('an-agency 2') ?? [];
      assert.ok(come !== undefined && come !== ended);
      assert.deepEqual(others, []);
      assert.deepEqual(shown.get('z-owners 1'), [come]);
    } finally {
      await app.stop();
    }
  });
});
