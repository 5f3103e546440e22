import assert from 'node:assert/strict';
import type { Database } from '../../../src/db/database.js';
import { dealEvents } from '../../../src/feeds/events/deal-events.js';
import { createEventLog } from '../../../src/feeds/events/event-log.js';
import { dropOldEvents } from '../../../src/feeds/events/drop-old-events.js';
import { createEventStore } from '../../../src/feeds/events/event-store.js';
import { dealKind } from '../../../src/feeds/query/deal-kind.js';
import { openTestDatabase } from '../../support/database.js';
import { inForce, scriptTakedowns } from '../scripted-takedowns.js';

const now = new Date('2026-11-28T05:00:00.000Z');

describe('events of more than 90 days', () => {
  let database: Database;
  beforeEach(async () => (database = await openTestDatabase()));
  afterEach(() => database.close());

  it('are dropped, from memory with the next version, and a cursor among them has expired', async () => {
    const { knex } = database;
    await knex('feed_versions').insert({ feed: 'deals', version: 120, published_at: now, complete_as_of: now });
    await knex.raw(
      `insert into feed_events (feed, version, ordinal, entity, id, event, at, observed_at, after, body)
       select 'deals', v, o, 'deal', gen_random_uuid(), 'listed', cast(:now as timestamptz) - (121 - v) * interval '1 day',
         cast(:now as timestamptz), '{"id": "00000000-0000-4000-8000-000000000001", "state": "OH", "sources": "broker"}', '{}'
       from generate_series(1, 120) as v, generate_series(1, 9) as o`,
      { now },
    );
    const { takedowns, license } = scriptTakedowns();
    await license(inForce('broker'));
    const store = createEventStore(knex, 'deals', dealKind.readColumns);
    const log = createEventLog({
      ...{ rules: dealEvents, store, testsOf: dealKind.testsOf, takedowns, findShown: () => new Set() },
    });
    const count = () => log.find({ after: log.earliest(), upTo: log.head(), filter: {} }).total;
    await log.load(119);
    assert.deepEqual([count(), log.reaches({ version: 1, ordinal: 0 })], [119 * 9, true]);
    assert.equal(await dropOldEvents(knex, now, () => Promise.resolve()), 30 * 9);
    await log.load(120);
    assert.deepEqual([count(), log.earliest()], [90 * 9, { version: 31, ordinal: 0 }]);
    assert.deepEqual(
      [log.reaches({ version: 30, ordinal: 9 }), log.reaches({ version: 31, ordinal: 0 })],
      [false, true],
    );
    assert.equal(await dropOldEvents(knex, now, () => Promise.resolve()), 0);

    // The database goes back to an older copy, and on from there.
    await knex('feed_events').where('version', '>', 118).delete();
    await log.load(118);
    assert.deepEqual([count(), log.head()], [88 * 9, { version: 118, ordinal: 9 }]);
    assert.equal(log.reaches({ version: 120, ordinal: 9 }), false, 'a cursor of what is lost');
  });
});
