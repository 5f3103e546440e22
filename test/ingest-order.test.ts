import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDesk } from '../jobs/open-desk.js';
import { startTestApp, type TestApp } from './support/app.js';
import { dropListings } from './support/drop-listings.js';

describe('the order to read one source', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false });
    for (const name of ['brokers', 'others']) dropListings(app.config.dropDirectory, rowsOf(name, 10), { name });
    await app.work.ingest();
  });
  after(() => app.stop());

  const rowsOf = (name: string, count: number) =>
    Array.from(
      { length: count },
      (_, each) => `${name}-${each},${each + 100} Example Ave,Cleveland,OH,44105,300000,4,9.5`,
    ).join('\n');
  const order = (acceptShrink: boolean) =>
    openDesk(app).runOrder({ do: 'ingest', source: 'brokers', dryRun: false, acceptShrink }, () => {});

  it('believes a delivery that lost most of its rows when it says so, and not before', async () => {
    dropListings(app.config.dropDirectory, rowsOf('brokers', 2));
    await assert.rejects(order(false), /quarantined: Only 2 of 10 rows came.*ingest brokers --accept-shrink/);
    assert.equal((await order(true))['retired'], 8);
  });

  it('says nothing of the others: whoever gives it may not have their configuration', async () => {
    rmSync(join(app.config.dropDirectory, 'others', 'manifest.json'));
    await order(false);
    const configured = await app.database.knex('sources').where({ configured: true }).pluck<string[]>('name');
    assert.deepEqual(configured.sort(), ['brokers', 'others']);
    await app.work.ingest();
    assert.deepEqual(await app.database.knex('sources').where({ configured: true }).pluck<string[]>('name'), [
      'brokers',
    ]);
  });
});
