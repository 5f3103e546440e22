import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openOperatorCommands } from '../../jobs/open-operator-commands.js';
import { OperatorError } from '../../src/errors.js';
import { type RunningServices, serveServices } from '../sources/services/serve-services.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropListings } from '../support/drop-listings.js';

describe('the order to read one source', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false });
    for (const name of ['brokers', 'others']) dropListings(app.config.dropDirectory, rowsOf(name, 10), { name });
    await app.pipeline.ingest();
  });
  after(() => app.stop());

  const rowsOf = (name: string, count: number) =>
    Array.from(
      { length: count },
      (_, each) => `${name}-${each},${each + 100} Example Ave,Cleveland,OH,44105,300000,4,9.5`,
    ).join('\n');
  const order = (acceptShrink: boolean) =>
    openOperatorCommands(app).runOrder({ do: 'ingest', source: 'brokers', dryRun: false, acceptShrink }, () => {});

  it('believes a delivery that lost most of its rows when it says so, and not before', async () => {
    dropListings(app.config.dropDirectory, rowsOf('brokers', 2));
    await assert.rejects(order(false), /quarantined: Only 2 of 10 rows came.*ingest brokers --accept-shrink/);
    assert.equal((await order(true))['retired'], 8);
  });

  it('is refused, with what to do, where it names a watermark and the source cannot tell what has changed since', async () => {
    const runs = () => app.database.knex('source_runs').count();
    const before = await runs();
    for (const dryRun of [true, false]) {
      const ordered = openOperatorCommands(app).runOrder(
        { do: 'ingest', source: 'brokers', since: 'w7', dryRun, acceptShrink: false },
        () => {},
      );
      await assert.rejects(ordered, (error: Error) => {
        assert.ok(error instanceof OperatorError);
        assert.match(error.message, /brokers .*drop-folder.* whole.*without --since: ingest brokers/);
        return true;
      });
    }
    assert.deepEqual(await runs(), before);
  });

  it('says nothing of the others: whoever gives it may not have their configuration', async () => {
    rmSync(join(app.config.dropDirectory, 'others', 'manifest.json'));
    await order(false);
    const unseen = () => app.database.knex('sources').whereNotNull('unseen_since').pluck<string[]>('name');
    assert.deepEqual(await unseen(), []);
    await app.pipeline.ingest();
    assert.deepEqual(await unseen(), ['others']);
  });
});

describe('the order to read a source that can tell what has changed', () => {
  let app: TestApp;
  let services: RunningServices;
  before(async () => {
    services = await serveServices(() => new Date());
    services.offer(1, new Date());
    app = await startTestApp({ withData: false, environment: services.environment });
  });
  after(async () => {
    await app.stop();
    await services.close();
  });

  it('begins at the watermark that it names', async () => {
    const order = { do: 'ingest', source: 'listing-service', dryRun: false, acceptShrink: false } as const;
    const whole = await openOperatorCommands(app).runOrder(order, () => {});
    const { watermark } = await app.database
      .knex('source_runs')
      .where({ source_name: 'listing-service' })
      .first('watermark');
    const changes = await openOperatorCommands(app).runOrder({ ...order, since: watermark }, () => {});
    assert.ok(Number(changes['rows']) < Number(whole['rows']));
  });

  it('is refused before a run begins, and says nothing of the source, where its moment is none or yet to come', async () => {
    const order = { do: 'ingest', source: 'listing-service', dryRun: false, acceptShrink: false } as const;
    const runs = () => app.database.knex('source_runs').orderBy('id').select('id', 'status', 'problem');
    const before = await runs();
    const tomorrow = new Date(app.now().getTime() + 24 * 3_600_000).toISOString();
    for (const [since, words] of [
      ['yesterday', /a date such as 2026-10-01, an instant such as 2026-10-01T06:00:00Z, or a run's watermark/],
      ['1', /must be a date/],
      ['2026-02-30', /must be a date/],
      ['2026-10-01 06:00', /must be a date/],
      ['{"at":1}', /must be a date/],
      ['{', /must be a date/],
      [tomorrow, /is in the future/],
    ] as const)
      for (const dryRun of [false, true])
        await assert.rejects(
          openOperatorCommands(app).runOrder({ ...order, dryRun, since }, () => {}),
          (error) => error instanceof OperatorError && words.test(error.message),
          since,
        );
    assert.deepEqual(await runs(), before);
    await openOperatorCommands(app).runOrder({ ...order, since: '2026-10-01' }, () => {});
    assert.equal((await runs()).at(-1)?.status, 'completed');
  });
});
