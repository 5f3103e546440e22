import assert from 'node:assert/strict';
import type { Database } from '../../../src/db/database.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import { observeSignals } from '../../counties/signals/observed-signal.js';
import { openTestDatabase } from '../../support/database.js';
import { createScriptedDelivery, type ScriptedDelivery } from './scripted-delivery.js';
import { ingestOptions, setDay } from './scripted-source.js';

describe('ingestSource, for a source with a changed configuration', () => {
  let database: Database;
  let source: ScriptedDelivery<'signals'>;
  beforeEach(async () => {
    database = await openTestDatabase();
    source = createScriptedDelivery('signals');
    setDay(0);
  });
  afterEach(() => database.close());

  const ingest = (configuration: string, signal?: AbortSignal) =>
    ingestSource({ ...source, configuration }, { ...ingestOptions(database.knex), signal });

  it('starts over when the interrupted run had another configuration, and never sends its cursor', async () => {
    source.deliver({ pages: [observeSignals(1), observeSignals(2).slice(1), []] });
    const stop = new AbortController();
    source.onFetch = async (page) => {
      if (page === 1) stop.abort(new Error('The process is stopping.'));
    };
    await assert.rejects(ingest('a', stop.signal), /stopping/);
    source.onFetch = async () => {};
    source.asked.length = 0;
    assert.equal((await ingest('b')).status, 'completed');
    assert.deepEqual(
      source.asked.map(({ cursor }) => cursor),
      [undefined, '1', '2'],
    );
    assert.deepEqual(await database.knex('source_runs').orderBy('id').pluck('status'), ['abandoned', 'completed']);
  });

  it('is read completely until one run of the new configuration is complete', async () => {
    const read = async (configuration: string, watermark: string) => {
      source.deliver({ pages: [observeSignals(2)], watermark });
      return (await ingest(configuration)).status;
    };
    await read('a', 'w1');
    await read('a', 'w2');
    source.onFetch = async () => {
      throw new Error('the server is down');
    };
    assert.equal(await read('b', 'w3'), 'failed');
    source.onFetch = async () => {};
    await read('b', 'w4');
    await read('b', 'w5');
    assert.deepEqual(
      source.asked.map(({ watermark }) => watermark),
      [undefined, 'w1', undefined, undefined, 'w4'],
    );
  });
});
