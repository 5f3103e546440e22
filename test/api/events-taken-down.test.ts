import assert from 'node:assert/strict';
import type { Licence } from '../../src/sources/source.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { licence as plainLicence } from '../sources/ingest/scripted-source.js';
import { readSource } from '../support/read-source.js';
import { openEventsShop } from './events-shop.js';

describe('the events of records that were taken down', () => {
  const { app, clock, now, offer, publish, buyEvents, refused, brief } = openEventsShop();
  const another = { min_dscr: '50', state: 'OH' };

  /** What is told of deals 2 and 3 once they must not be shown: that they are to be deleted, by state alone. */
  async function assertTakenDown(cursor: string, ids: readonly string[]): Promise<void> {
    const query = new URLSearchParams({ ...another, cursor, event: 'repriced' }).toString();
    const problem = await refused(query);
    assert.deepEqual([problem.reason, [...(problem.removed_ids ?? [])].sort()], ['no_events', [...ids].sort()]);
    assert.deepEqual((await refused(`cursor=${cursor}&state=IN&event=repriced`)).removed_ids, undefined);
    const { events } = await buyEvents(`cursor=${cursor}`);
    const told = events.filter(({ id }) => ids.includes(id));
    assert.deepEqual(
      told.map(brief),
      ids.map(() => ['removed', null, null, null]),
    );
    for (const { absent: why, record } of told)
      assert.deepEqual([why.before, record], [{ reason: 'suppressed_by_policy' }, null]);
    assert.doesNotMatch(JSON.stringify(told), /Example|400000/);
  }

  it('tells of a suppressed deal its id alone, at once and after the publication without it', async () => {
    await publish([offer(1)]);
    await publish([offer(1), offer(2), offer(3)]);
    const { events } = await buyEvents();
    const [second] = events.filter(({ record }) => record !== null && JSON.stringify(record).includes('"2 Example'));
    const id = second?.id ?? assert.fail();
    await app().pipeline.suppress({ address: '2 Example Ave, Cleveland, OH 44105', reason: 'asked for' });
    await assertTakenDown('d1-0', [id]);
    await publish([offer(1), offer(2), offer(3), offer(4)]);
    await assertTakenDown('d1-0', [id]);
  });

  it('tells of a deal that is suppressed after it went its id alone', async () => {
    await publish([offer(1), offer(2)]);
    await publish([offer(1)]);
    const [gone] = (await buyEvents()).events;
    await app().pipeline.suppress({ address: '2 Example Ave, Cleveland, OH 44105', reason: 'asked for' });
    const problem = await refused('event=removed&min_price=390000');
    assert.deepEqual(problem.removed_ids, [gone?.id]);
  });

  it('tells of deals whose licence has ended their ids alone, without a write', async () => {
    const licence: Licence = { ...plainLicence, expiresAt: new Date(now().getTime() + 60_000) };
    const partner = createScriptedDelivery('listings', { name: 'partner', licence, now });
    partner.deliver({ pages: [[offer(7), offer(8)]] });
    await publish([offer(1)]);
    await readSource(app(), partner);
    await publish([offer(1), offer(4)]);
    const { events } = await buyEvents();
    const ids = events.filter(({ record }) => /[78] Example/.test(JSON.stringify(record))).map(({ id }) => id);
    assert.equal(ids.length, 2);
    clock.aheadMs += 120_000;
    await assertTakenDown('d1-0', ids);
    await app().pipeline.publishIfBehind();
    await assertTakenDown('d1-0', ids);
  });
});
