import assert from 'node:assert/strict';
import { known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import type { Listing } from '../../../src/listings/listing.js';
import { createListingReader } from '../../../src/listings/listing-reader.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import type { PagedSource } from '../../../src/sources/source.js';
import { openTestDatabase } from '../../support/database.js';
import { observeSignals } from '../../counties/signals/observed-signal.js';
import { createScriptedDelivery } from './scripted-delivery.js';
import { clock, createScriptedSource, ingestOptions, licence, observeMany, setDay } from './scripted-source.js';

describe('ingestSource, for changes and runs that end early', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
  });
  afterEach(() => database.close());

  const ingest = (...script: Parameters<typeof createScriptedSource>) =>
    ingestSource(createScriptedSource(...script), ingestOptions(database.knex));
  const active = async () => {
    const found: Listing[] = [];
    for await (const chunk of createListingReader(database.knex, () => clock.now).readActive()) found.push(...chunk);
    return found;
  };
  const activeKeys = async () => (await active()).map(({ sourceKey }) => sourceKey).sort();

  it('keeps one listing per key of its source, even when its address is corrected in a run of changes', async () => {
    await ingest(observeMany(3));
    setDay(1);
    const [moved] = observeMany(1, { address: known('100 Corrected St') });
    assert.ok(moved);
    const since = new Date(clock.now.getTime() - 3_600_000).toISOString();
    await ingestSource(createScriptedSource([moved]), { ...ingestOptions(database.knex), since });
    assert.deepEqual(await activeKeys(), ['k0', 'k1', 'k2']);
    assert.deepEqual(
      (await active()).filter(({ sourceKey }) => sourceKey === 'k0').map(({ address }) => address),
      [known('100 Corrected St')],
    );
  });

  it('retires vanished rows also after a manual run of changes of the same delivery', async () => {
    await ingest(observeMany(3), { etag: 'a' });
    setDay(1);
    const less = createScriptedSource(observeMany(2), { etag: 'b' });
    await ingestSource(less, { ...ingestOptions(database.knex), since: '2026-11-01' });
    assert.equal((await activeKeys()).length, 3);
    setDay(2);
    assert.equal((await ingest(observeMany(2), { etag: 'b' })).retired, 1);
    assert.deepEqual(await activeKeys(), ['k0', 'k1']);
  });

  it('stops when the licence ends: the run fails, and nothing is retired', async () => {
    await ingest(observeMany(6));
    setDay(1);
    const ending = { ...licence, expiresAt: new Date(clock.now.getTime() + 1) };
    for (const dryRun of [true, false]) {
      const source = createScriptedSource(observeMany(4), { pageSize: 2, licence: ending });
      const asked: (string | undefined)[] = [];
      const counted: PagedSource<'listings'> = {
        ...source,
        async fetchPage(cursor) {
          asked.push(cursor);
          setDay(2);
          return source.fetchPage(cursor);
        },
      };
      setDay(1);
      const report = await ingestSource(counted, { ...ingestOptions(database.knex), dryRun });
      assert.deepEqual([report.status, report.retired, asked], ['failed', 0, [undefined]]);
      assert.match(report.problem ?? '', /licence ended while/);
    }
    assert.deepEqual(await database.knex('source_runs').orderBy('id').pluck('problem_code'), [null, 'licence_ended']);
    assert.equal((await database.knex('listing_sources').where({ active: true })).length, 6);
  });

  it('is resumed by the next run when the process stops, and does not count as failed', async () => {
    await ingest(observeMany(5));
    setDay(1);
    const stopping = new Error('The process is stopping.');
    const stopped = ingestSource(createScriptedSource(observeMany(5), { pageSize: 2 }), {
      ...ingestOptions(database.knex),
      onProgress: ({ rows }) => {
        if (rows === 4) throw stopping;
      },
    });
    await assert.rejects(stopped, (error) => error === stopping);
    const runs = await database.knex('source_runs').where({ status: 'failed' });
    assert.deepEqual(runs, []);
    assert.equal((await ingest(observeMany(5), { pageSize: 2 })).status, 'completed');
    assert.equal((await activeKeys()).length, 5);
  });

  /** Reads a source that is stopped while this page is fetched. */
  const stopAt = async (page: number, source: ReturnType<typeof createScriptedDelivery<'signals'>>) => {
    const stop = new AbortController();
    source.onFetch = async (asked) => {
      if (asked === page) stop.abort(new Error('The process is stopping.'));
    };
    const { signal } = stop;
    await assert.rejects(ingestSource(source, { ...ingestOptions(database.knex), signal }), /stopping/);
    source.onFetch = async () => {};
    source.asked.length = 0;
  };

  it('leaves no trace when stopped before reading anything: a known delivery stays known', async () => {
    const source = createScriptedDelivery('signals');
    source.deliver({ pages: [observeSignals(2)], etag: 'a' });
    const read = () => ingestSource(source, ingestOptions(database.knex));
    const outcomes = [(await read()).status, (await read()).status];
    await stopAt(0, source);
    outcomes.push((await read()).status);
    assert.deepEqual(outcomes, ['completed', 'unchanged', 'unchanged']);
    assert.deepEqual(await database.knex('source_runs').orderBy('id').pluck('status'), outcomes);
  });

  it('resumes a run that was stopped after a page without rows', async () => {
    const source = createScriptedDelivery('signals');
    source.deliver({ pages: [[], observeSignals(2)] });
    await stopAt(1, source);
    assert.equal((await ingestSource(source, ingestOptions(database.knex))).rows, 2);
    assert.deepEqual(
      source.asked.map(({ cursor }) => cursor),
      ['1'],
    );
  });

  it('removes rows that a run of changes reports as irrelevant, and rows missing from a complete run', async () => {
    const gone = { reject: 'not_relevant', key: 'k0', detail: 'nothing is owed.' } as const;
    await ingest(observeMany(3));
    setDay(1);
    await ingestSource(createScriptedSource([gone]), { ...ingestOptions(database.knex), since: '2026-11-01' });
    assert.deepEqual(await activeKeys(), ['k1', 'k2']);
    setDay(2);
    await ingest([{ ...gone, key: 'k1' }, ...observeMany(3).slice(2)]);
    setDay(3);
    await ingest([{ ...gone, key: 'k1' }, ...observeMany(3).slice(2)]);
    assert.deepEqual(await activeKeys(), ['k2']);
  });
});
