import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import { ingestSource } from '../../src/sources/ingest-source.js';
import { judgeFreshness } from '../../src/sources/judge-freshness.js';
import { readStandings } from '../../src/sources/standings-reader.js';
import { openTestDatabase } from '../support/database.js';
import { createScriptedDelivery, type Delivery } from './scripted-delivery.js';
import { clock, ingestOptions, observeMany, setDay } from './scripted-source.js';

describe('how a source stands that tells its changes', () => {
  let database: Database;
  let source: ReturnType<typeof createScriptedDelivery<'listings'>>;
  beforeEach(async () => {
    database = await openTestDatabase();
    source = Object.assign(createScriptedDelivery('listings', { name: 'exchange' }), { tellsChanges: true });
    await read(0, { pages: [observeMany(12)], watermark: 'w0' });
  });
  afterEach(() => database.close());

  const read = (day: number, delivery: Delivery<'listings'>, since?: string) => {
    setDay(day);
    source.deliver(delivery);
    return ingestSource(source, { ...ingestOptions(database.knex), ...(since !== undefined && { since }) });
  };
  const standing = async () => {
    const [only] = await readStandings(database.knex);
    assert.ok(only);
    return { rows: only.rows, lastSuccessAt: only.lastSuccessAt, status: judgeFreshness(only, clock.now) };
  };

  it('has the rows of the last whole reading, and not those of a run that saw changes only', async () => {
    const at = clock.now;
    assert.deepEqual(await standing(), { rows: 12, lastSuccessAt: at, status: 'fresh' });
    await read(1, { pages: [observeMany(1)], watermark: 'w1' });
    assert.deepEqual(await standing(), { rows: 12, lastSuccessAt: clock.now, status: 'fresh' });
  });

  it('stays failed after a run from a moment on that an operator names, which leaves unread what was changed before', async () => {
    const at = clock.now;
    source.onFetch = async () => Promise.reject(new Error('broken off'));
    await read(1, { pages: [[]], watermark: 'w1' });
    source.onFetch = async () => {};
    await read(2, { pages: [[]], watermark: 'w2' }, 'w1');
    assert.deepEqual(await standing(), { rows: 12, lastSuccessAt: at, status: 'failed' });
    await read(3, { pages: [[]], watermark: 'w3' });
    assert.deepEqual(await standing(), { rows: 12, lastSuccessAt: clock.now, status: 'fresh' });
  });
});
