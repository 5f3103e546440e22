import assert from 'node:assert/strict';
import type { Database } from '../../../src/db/database.js';
import type { IngestOptions } from '../../../src/sources/ingest/ingest-run.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import { openTestDatabase } from '../../support/database.js';
import { observeSignal, observeSignals } from '../../counties/signals/observed-signal.js';
import { createScriptedDelivery, type ScriptedDelivery } from './scripted-delivery.js';
import { clock, createScriptedSource, ingestOptions, observeMany, setDay } from './scripted-source.js';

const hourMs = 3600 * 1000;

describe('ingestSource, for a source of several pages', () => {
  let database: Database;
  let source: ScriptedDelivery<'signals'>;
  beforeEach(async () => {
    database = await openTestDatabase();
    source = createScriptedDelivery('signals');
    setDay(0);
  });
  afterEach(() => database.close());

  const ingest = (options: Partial<IngestOptions> = {}) =>
    ingestSource(source, { ...ingestOptions(database.knex), ...options });
  const pagesOf = (count: number, size = 2) => {
    const rows = observeSignals(count);
    return Array.from({ length: Math.ceil(count / size) }, (_, page) => rows.slice(page * size, (page + 1) * size));
  };
  const live = () => database.knex('signals').whereNull('resolved_at').orderBy('source_key').pluck('source_key');
  const missing = () =>
    database.knex('signals').whereNotNull('missing_run_id').orderBy('source_key').pluck('source_key');
  /** The run of a process that was killed while it waited for a page. */
  const killAtPage = async (page: number) => {
    await new Promise<void>((reached) => {
      source.onFetch = async (asked) => {
        if (asked !== page) return;
        reached();
        await new Promise(() => {});
      };
      void ingest();
    });
    source.onFetch = async () => {};
    source.asked.length = 0;
    assert.deepEqual(await database.knex('source_runs').orderBy('id', 'desc').limit(1).pluck('status'), ['running']);
  };

  it('resumes after the last kept page of an interrupted run, and retires nothing seen before', async () => {
    source.deliver({ pages: pagesOf(8) });
    await ingest();
    setDay(1);
    source.deliver({ pages: pagesOf(7) });
    await killAtPage(2);
    clock.now = new Date(clock.now.getTime() + 5 * hourMs);
    const report = await ingest();
    assert.deepEqual([report.status, report.rows, report.accepted], ['completed', 7, 7]);
    assert.deepEqual(
      source.asked.map(({ cursor }) => cursor),
      ['2', '3'],
    );
    assert.deepEqual(await missing(), ['s7']);
    assert.equal((await database.knex('run_sightings')).length, 0);
  });

  it('stops while it waits for a page, without a failure, and the next run resumes at that page', async () => {
    source.deliver({ pages: pagesOf(6) });
    for (const [page, left] of [
      [1, 2],
      // Again, at the page where the run resumes.
      [1, 2],
      [2, 4],
    ] as const) {
      const stop = new AbortController();
      const reason = new Error('The process is stopping.');
      source.onFetch = async (asked) => {
        if (asked !== page) return;
        stop.abort(reason);
        throw new Error('the connection was closed');
      };
      await assert.rejects(ingest({ signal: stop.signal }), reason);
      assert.deepEqual(await database.knex('source_runs').pluck('status'), ['running']);
      assert.equal((await live()).length, left);
    }
    source.onFetch = async () => {};
    source.asked.length = 0;
    const report = await ingest();
    assert.deepEqual([report.status, report.rows], ['completed', 6]);
    assert.deepEqual(
      source.asked.map(({ cursor }) => cursor),
      ['2'],
    );
  });

  it('does not accept a truncated page from a source that hides the stop', async () => {
    const stop = new AbortController();
    source.deliver({ pages: pagesOf(4) });
    source.onFetch = async (page) => {
      if (page === 1) stop.abort(new Error('The process is stopping.'));
    };
    await assert.rejects(ingest({ signal: stop.signal }), /stopping/);
    assert.equal((await live()).length, 2);
    await assert.rejects(ingest({ signal: stop.signal, dryRun: true }), /stopping/);
  });

  it('rejects in the second half what the first half of an interrupted run already had', async () => {
    const [first, second] = pagesOf(4);
    assert.ok(first && second);
    source.deliver({ pages: [first, [...second, ...first]] });
    await killAtPage(1);
    const report = await ingest();
    assert.deepEqual([report.accepted, report.rejected], [4, 2]);
  });

  it('keeps rows that the first half of an interrupted run had unreadable', async () => {
    source.deliver({ pages: pagesOf(4) });
    await ingest();
    setDay(1);
    const [, second] = pagesOf(4);
    const odd = { reject: 'missing_amount', key: 's0', detail: 'amount: a number is expected.' } as const;
    source.deliver({ pages: [[odd, ...observeSignals(2).slice(1)], second ?? []] });
    await killAtPage(1);
    await ingest();
    assert.deepEqual(await database.knex('signals').where({ missing_run_id: 0 }).pluck('source_key'), ['s0']);
    assert.equal((await live()).length, 4);
  });

  for (const [what, arrange] of [
    ['the cut is older than some hours', async () => void (clock.now = new Date(clock.now.getTime() + 7 * hourMs))],
    ['the delivery is another one by now', async (s) => s.deliver({ pages: pagesOf(6), etag: 'b' })],
    [
      'the page cannot be fetched any more',
      async (s) => {
        let failed = false;
        s.onFetch = async (page) => {
          if (page === 2 && !failed) {
            failed = true;
            throw new Error('the cursor is forgotten');
          }
        };
      },
    ],
  ] as [string, (s: ScriptedDelivery<'signals'>) => Promise<void>][]) {
    it(`starts over when ${what}`, async () => {
      source.deliver({ pages: pagesOf(6), etag: 'a' });
      await killAtPage(2);
      await arrange(source);
      const report = await ingest();
      assert.deepEqual([report.status, report.rows], ['completed', 6]);
      assert.equal(source.asked.filter(({ cursor }) => cursor === undefined).length, 1);
      assert.deepEqual(await database.knex('source_runs').orderBy('id').pluck('status'), ['abandoned', 'completed']);
      assert.equal((await database.knex('run_sightings')).length, 0);
    });
  }

  it("starts at the last completed run's watermark, and then retires nothing by absence, only by removed keys", async () => {
    source.deliver({ pages: pagesOf(4), watermark: 'w1' });
    await ingest();
    setDay(1);
    source.deliver({
      pages: [[observeSignal({ sourceKey: 'new', parcelId: '9' })]],
      removedKeys: ['s1'],
      watermark: 'w2',
    });
    const report = await ingest();
    assert.deepEqual([report.status, report.created, report.retired], ['completed', 1, 1]);
    assert.deepEqual(await live(), ['new', 's0', 's2', 's3']);
    assert.deepEqual(await missing(), []);
    setDay(2);
    source.deliver({ pages: [[]] });
    await ingest();
    setDay(3);
    await ingest();
    assert.deepEqual(
      source.asked.map(({ watermark }) => watermark),
      [undefined, undefined, 'w1', 'w2', 'w2'],
    );
  });

  it('reads a source completely once a week, even if its job starts some hours early, and when the operator requests it', async () => {
    source.deliver({ pages: pagesOf(2), watermark: 'w1' });
    await ingest();
    setDay(6.2);
    await ingest();
    setDay(6.9);
    await ingest();
    await ingest({ rereadUnchanged: true });
    await ingest({ fullEveryMs: 0 });
    assert.deepEqual(
      source.asked.map(({ watermark }) => watermark),
      [undefined, 'w1', undefined, undefined, undefined],
    );
  });

  it('judges a complete run by the last complete run, not by a run of changes', async () => {
    source.deliver({ pages: pagesOf(10), watermark: 'w1' });
    await ingest();
    setDay(1);
    source.deliver({ pages: [observeSignals(1)], watermark: 'w2' });
    await ingest();
    setDay(8);
    source.deliver({ pages: pagesOf(5), watermark: 'w3' });
    const report = await ingest();
    assert.equal(report.status, 'quarantined');
    assert.match(report.problem ?? '', /Only 5 of 10/);
  });

  it("starts at the operator's watermark, and does not use it for a later run", async () => {
    source.deliver({ pages: pagesOf(4), watermark: 'w1' });
    await ingest();
    setDay(1);
    source.deliver({ pages: [observeSignals(1)], watermark: 'w9' });
    const report = await ingest({ since: 'w5' });
    assert.deepEqual([report.status, report.retired], ['completed', 0]);
    setDay(2);
    await ingest();
    assert.deepEqual(
      source.asked.map(({ watermark }) => watermark),
      [undefined, undefined, 'w5', 'w1'],
    );
    assert.deepEqual(await missing(), []);
  });

  it('reads and counts on a dry run, and writes nothing', async () => {
    const odd = { reject: 'missing_amount', key: 'odd', detail: 'amount: a number is expected.' } as const;
    const [first, second] = pagesOf(4);
    assert.ok(first && second);
    const unnamed = observeSignal({ sourceKey: 'unnamed', parcelId: 'N/A' });
    source.deliver({ pages: [first, [...second, ...first, odd, unnamed]], watermark: 'w1' });
    const report = await ingest({ dryRun: true });
    assert.deepEqual(
      [report.status, report.rows, report.accepted, report.rejected, report.created, report.retired],
      ['tried', 8, 4, 4, 0, 0],
    );
    for (const table of ['sources', 'source_runs', 'raw_records', 'rejects', 'signals']) {
      assert.equal((await database.knex(table)).length, 0, table);
    }
    source.onFetch = async () => {
      throw new Error('secret words of the upstream');
    };
    const failed = await ingest({ dryRun: true });
    assert.equal(failed.status, 'failed');
    assert.doesNotMatch(failed.problem ?? '', /secret/);
  });

  it('writes only the run for a set that is unchanged', async () => {
    source.deliver({ pages: pagesOf(6) });
    await ingest();
    setDay(1);
    const writes: string[] = [];
    const listen = ({ sql }: { sql: string }) => {
      const [, table] = /^\s*(?:insert into|update|delete from) "?(\w+)/.exec(sql) ?? [];
      if (table !== undefined) writes.push(table);
    };
    database.knex.on('query', listen);
    await ingest();
    database.knex.removeListener('query', listen);
    const others = writes.filter((table) => !['source_runs', 'run_sightings', 'sources'].includes(table));
    assert.deepEqual(others, []);
  });

  it('resumes an interrupted run of listings too', async () => {
    const listings = createScriptedSource(observeMany(6), { pageSize: 2 });
    let asked = 0;
    const fetchPage = listings.fetchPage.bind(listings);
    const counted = {
      ...listings,
      fetchPage: (cursor: string | undefined) => {
        asked += 1;
        return fetchPage(cursor);
      },
    };
    await ingestSource(listings, ingestOptions(database.knex));
    setDay(1);
    await database.knex('source_runs').update({ status: 'running', next_cursor: '4', page_kept_at: clock.now });
    const report = await ingestSource(counted, ingestOptions(database.knex));
    assert.deepEqual([asked, report.status, report.retired], [1, 'completed', 0]);
  });

  it('keeps the HUD rents of a source, and replaces a revised figure', async () => {
    const rents = createScriptedDelivery('rents');
    const figure = {
      areaKind: 'zip',
      areaCode: '44105',
      fiscalYear: 2027,
      area: '',
      rents: [700, 800, 950, 1200, 1300],
    } as const;
    rents.deliver({ pages: [[figure]] });
    await ingestSource(rents, ingestOptions(database.knex));
    rents.deliver({ pages: [[{ ...figure, rents: [700, 800, 975, 1200, 1300] }], [{ ...figure, areaCode: '44106' }]] });
    const report = await ingestSource(rents, ingestOptions(database.knex));
    assert.deepEqual([report.status, report.accepted], ['completed', 2]);
    assert.deepEqual(await database.knex('hud_rents').orderBy('area_code').pluck('rent_2br'), [975, 950]);
  });
});
