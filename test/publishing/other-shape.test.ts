import assert from 'node:assert/strict';
import type { DealIds } from '../../generated/types.gen.js';
import { dealKind } from '../../src/feeds/query/deal-kind.js';
import { shapeOf } from '../../src/feeds/store/shape.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';

/** As a version of before stores deals, which did not know how many units they have. */
async function storeWithoutUnits({ database: { knex } }: TestApp): Promise<void> {
  await knex.raw(`update published_records set columns = columns - 'units', content_hash = '' where feed = 'deals'`);
  const { units: _, ...columns } = dealKind.columns;
  await knex('feed_versions')
    .where({ feed: 'deals' })
    .update({ shape: shapeOf({ ...dealKind, columns }) });
}

describe('deals that a version of before has stored, without a column that this one reads', () => {
  let former: TestApp;
  let app: TestApp;
  let settler: InstantSettler;
  let reportUrl: string;

  before(async () => {
    former = await startTestApp();
    const { ids } = (await (await fetch(`${former.url}/api/deals/ids`)).json()) as DealIds;
    reportUrl = ids[0]?.report_url ?? assert.fail();
    await storeWithoutUnits(former);
    settler = createInstantSettler();
    app = await startTestApp({ withData: false, database: former.database, settler });
  });
  after(async () => {
    await app.stop();
    await former.stop();
  });

  it('are answered with a 503 that says to come again, unbilled, and never as if nothing matched', async () => {
    for (const path of ['/api/deals?min_units=1', '/api/deals', '/api/deals/ids', reportUrl]) {
      const reply = await fetch(app.url + path);
      const { reason, retryable } = (await reply.json()) as { reason: string; retryable: boolean };
      assert.deepEqual([reply.status, reason, retryable], [503, 'temporarily_unavailable', true], path);
      assert.equal(reply.headers.get('retry-after'), '60');
    }
    assert.equal(settler.settled.length, 0);
  });

  it('keep no other feed from being sold', async () => {
    assert.equal((await buy(`${app.url}/api/signals`)).status, 200);
  });

  it('are published anew by the next job, whole, and sold from then on', async () => {
    assert.ok(((await app.pipeline.publishIfBehind())?.changed ?? 0) > 0);
    assert.equal((await buy(`${app.url}/api/deals?min_units=1`)).status, 200);
    assert.equal((await buy(app.url + reportUrl)).status, 200);
    assert.equal(await app.pipeline.publishIfBehind(), undefined);
  });

  it('are no events by being published in another shape', async () => {
    const { version } = app.feeds.deals.current();
    const reply = await buy(`${app.url}/api/events?cursor=d${version - 1}-0`);
    assert.deepEqual([reply.status, ((await reply.json()) as { reason: string }).reason], [404, 'no_events']);
  });

  it('are sold by an instance of before as well, whose columns are among those of this one', async () => {
    const { knex } = app.database;
    await knex('feed_versions')
      .where({ feed: 'deals' })
      .update({ shape: `${shapeOf(dealKind)} year:number` });
    await app.pipeline.publish('changed');
    await app.pipeline.refresh();
    assert.equal(app.feeds.deals.isReadable(), true);
    assert.equal((await buy(`${app.url}/api/deals?min_units=1`)).status, 200);
  });
});
