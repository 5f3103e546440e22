import assert from 'node:assert/strict';
import { known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import type { Listing } from '../../../src/listings/listing.js';
import { createListingReader } from '../../../src/listings/listing-reader.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import { readSourceStates } from '../../../src/sources/standings-reader.js';
import { openTestDatabase } from '../../support/database.js';
import { clock, createScriptedSource, ingestOptions, licence, observeMany, setDay } from './scripted-source.js';
import { sliceOf } from '../../support/depth.js';

describe('ingestSource', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
  });
  afterEach(() => database.close());

  type Rows = Parameters<typeof createScriptedSource>;
  const ingest = (...script: Rows) => ingestSource(createScriptedSource(...script), ingestOptions(database.knex));
  const active = async () => {
    const found: Listing[] = [];
    for await (const chunk of createListingReader(database.knex, () => clock.now).readActive()) found.push(...chunk);
    return found;
  };
  const activeKeys = async () => (await active()).map(({ sourceKey }) => sourceKey).sort();
  const contents = async () => {
    const { knex } = database;
    return {
      raw: await knex('raw_records').orderBy('hash').select('source_name', 'hash', 'payload'),
      rejects: await knex('rejects').orderBy('row_key').select('source_name', 'row_key', 'reason', 'detail'),
      listings: await active(),
    };
  };

  it('keeps rows raw, merges valid ones, rejects invalid ones, and reports its progress', async () => {
    const bad = { reject: 'missing_city', key: 'bad', detail: 'city: a name is expected.' } as const;
    const progress: number[] = [];
    const source = createScriptedSource([...observeMany(70), bad]);
    const report = await ingestSource(source, {
      ...ingestOptions(database.knex),
      onProgress: ({ rows }) => progress.push(rows),
    });
    const { imported, ...figures } = report;
    assert.deepEqual(imported.rows, { accepted: 70, refused: { missing_city: 1 } });
    assert.deepEqual(figures, {
      source: 'exchange',
      rows: 71,
      accepted: 70,
      rejected: 1,
      created: 70,
      status: 'completed',
      retired: 0,
      problem: undefined,
    });
    assert.deepEqual(progress, [50, 60, 71]);
    const { raw, rejects, listings } = await contents();
    assert.equal(raw.length, 70);
    assert.deepEqual(rejects, [
      { source_name: 'exchange', row_key: 'bad', reason: 'missing_city', detail: 'city: a name is expected.' },
    ]);
    assert.equal(listings.length, 70);
  });

  it('does not start without a licence to store, nor after the licence has ended', async () => {
    const unstored = await ingest(observeMany(1), { name: 'a', licence: { ...licence, mayStore: false } });
    const expired = await ingest(observeMany(1), { name: 'b', licence: { ...licence, expiresAt: clock.now } });
    assert.deepEqual([unstored.status, expired.status], ['refused', 'refused']);
    assert.match(expired.problem ?? '', /expired/);
    assert.equal((await database.knex('raw_records')).length, 0);
  });

  it('retires vanished listings and restores returned ones, marked as relisted', async () => {
    await ingest(observeMany(5));
    setDay(1);
    assert.equal((await ingest(observeMany(4))).retired, 1);
    assert.deepEqual(await activeKeys(), ['k0', 'k1', 'k2', 'k3']);
    setDay(2);
    await ingest(observeMany(5));
    const listings = await active();
    assert.deepEqual(
      listings.filter(({ relisted }) => relisted).map(({ sourceKey }) => sourceKey),
      ['k4'],
    );
    assert.deepEqual(
      listings.find(({ sourceKey }) => sourceKey === 'k4')?.firstSeenAt,
      new Date('2026-11-01T00:00:00.000Z'),
    );
  });

  it('ends in the same state when interrupted at any statement and run again', async function () {
    const bad = { reject: 'missing_city', key: 'bad', detail: 'city: a name is expected.' } as const;
    const first = observeMany(8);
    const second = [...observeMany(7, { listPrice: known('240000') }), bad];
    const clean = async (interruptAt: number) => {
      setDay(0);
      await ingest(first);
      setDay(1);
      let statements = 0;
      const interrupt = () => {
        statements += 1;
        if (statements === interruptAt) throw new Error('the process was killed');
      };
      database.knex.on('query', interrupt);
      const done = await ingest(second, { pageSize: 4 }).then(
        () => true,
        () => false,
      );
      database.knex.removeListener('query', interrupt);
      if (!done) await ingest(second, { pageSize: 4 });
      const state = await contents();
      const prices = await database.knex('listing_prices').orderBy(['listing_id', 'observed_at']);
      await database.close();
      database = await openTestDatabase();
      return { done, statements, state: { ...state, prices } };
    };
    const reference = await clean(Infinity);
    assert.ok(reference.statements > 20);
    const moments = Array.from({ length: reference.statements }, (_, index) => index + 1);
    for (const at of sliceOf(moments, 5)) {
      const { done, state } = await clean(at);
      assert.equal(done, false, `statement ${at} was not interrupted`);
      assert.deepEqual(state, reference.state, `interrupted at statement ${at}`);
    }
  });

  it('fails the run and retires nothing when the source fails, without its text in the record', async () => {
    await ingest(observeMany(5));
    setDay(1);
    const report = await ingest(observeMany(4), { pageSize: 2, failAtPage: 1 });
    assert.equal(report.status, 'failed');
    assert.match(report.problem ?? '', /could not be read \(ECONNRESET\)/);
    assert.equal((await activeKeys()).length, 5);
    assert.doesNotMatch(JSON.stringify(await readSourceStates(database.knex)), /secret/);
  });

  it('retires nothing when over 40% of the rows are gone, and accepts exactly 40%', async () => {
    await ingest(observeMany(10));
    setDay(1);
    const report = await ingest(observeMany(5), { etag: 'a' });
    assert.equal(report.status, 'quarantined');
    assert.match(report.problem ?? '', /Only 5 of 10 rows came/);
    assert.equal((await activeKeys()).length, 10);
    setDay(2);
    assert.deepEqual(await ingest(observeMany(6)).then(({ status, retired }) => [status, retired]), ['completed', 4]);
  });

  it('accepts a smaller set when a second, later, different delivery confirms it', async () => {
    await ingest(observeMany(10));
    setDay(1);
    await ingest(observeMany(5), { etag: 'a' });
    assert.equal((await ingest(observeMany(5), { etag: 'b' })).status, 'quarantined', 'too early');
    setDay(2);
    assert.equal((await ingest(observeMany(5), { etag: 'b' })).status, 'quarantined', 'the same delivery');
    setDay(3);
    assert.equal((await ingest(observeMany(4), { etag: 'c' })).status, 'quarantined', 'another size');
    setDay(4);
    assert.equal((await ingest(observeMany(4), { etag: 'd' })).status, 'completed');
    assert.equal((await activeKeys()).length, 4);
  });

  it('accepts a smaller set when the operator confirms it', async () => {
    await ingest(observeMany(10));
    const source = createScriptedSource(observeMany(2));
    const report = await ingestSource(source, { ...ingestOptions(database.knex), acceptShrink: true });
    assert.deepEqual([report.status, report.retired], ['completed', 8]);
  });

  it('sends the source the last completely read delivery, so that an unchanged one need not be sent', async () => {
    const told: unknown[] = [];
    const telling = (etag: string, failAtPage?: number) => {
      const source = createScriptedSource(observeMany(3), {
        etag,
        ...(failAtPage === undefined ? {} : { failAtPage }),
      });
      const fetchPage: typeof source.fetchPage = (cursor, watermark, knownEtag) => {
        told.push(knownEtag);
        return source.fetchPage(cursor, watermark, knownEtag);
      };
      return ingestSource({ ...source, fetchPage }, ingestOptions(database.knex));
    };
    await telling('a');
    await telling('a');
    await telling('b', 0);
    await telling('b');
    assert.deepEqual(told, [undefined, 'a', 'a', undefined]);
  });

  it('reads a delivery once: an unchanged one verifies nothing', async () => {
    await ingest(observeMany(3), { etag: 'a' });
    setDay(1);
    const again = await ingest(observeMany(3), { etag: 'a' });
    assert.deepEqual([again.status, again.rows], ['unchanged', 0]);
    assert.deepEqual((await active())[0]?.lastSeenAt, new Date('2026-11-01T00:00:00.000Z'));
    const [state] = await readSourceStates(database.knex);
    assert.deepEqual(state?.lastCompletedAt, new Date('2026-11-01T00:00:00.000Z'));
    assert.deepEqual(state?.lastSuccessAt, clock.now);
    setDay(2);
    await ingest(observeMany(3), { etag: 'b', failAtPage: 0 });
    assert.equal(
      (await ingest(observeMany(3), { etag: 'a' })).status,
      'completed',
      'after a failed run it is read anew',
    );
  });

  it('uses the first of two rows with the same key or of the same property', async () => {
    const [one, two] = observeMany(2);
    assert.ok(one && two);
    const report = await ingest([one, { ...two, sourceKey: one.sourceKey }, { ...one, sourceKey: 'other' }]);
    assert.deepEqual([report.accepted, report.rejected], [1, 2]);
    assert.deepEqual(await database.knex('rejects').orderBy('row_key').pluck('reason'), [
      'duplicate_key',
      'duplicate_key',
    ]);
    assert.deepEqual(await activeKeys(), ['k0']);
  });

  it('keeps a listing whose row became unreadable at its last reading, and only for a week', async () => {
    await ingest(observeMany(4));
    const rows = [
      ...observeMany(3),
      { reject: 'missing_city', key: 'k3', detail: 'city: a name is expected.' } as const,
    ];
    setDay(7);
    assert.equal((await ingest(rows)).retired, 0);
    const kept = (await active()).find(({ sourceKey }) => sourceKey === 'k3');
    assert.deepEqual(kept?.lastSeenAt, new Date('2026-11-01T00:00:00.000Z'));
    setDay(8);
    assert.equal((await ingest(rows)).retired, 1);
  });

  it('keeps each raw row and each reject once, for any number of repetitions', async () => {
    const rows = [
      ...observeMany(3),
      { reject: 'row_too_large', key: 'deals.csv:4', detail: 'The row is larger than 256 kB.' } as const,
    ];
    await ingest(rows);
    setDay(1);
    await ingest(rows);
    assert.equal((await database.knex('raw_records')).length, 3);
    assert.equal((await database.knex('rejects')).length, 1);
  });

  it('keeps rejects, and rejects listings, with text that a database cannot store', async () => {
    const odd = { reject: 'missing_city', key: 'a\u0000\ud800', detail: 'x\u0000' } as const;
    const [one, two, three] = observeMany(3);
    assert.ok(one && two && three);
    const report = await ingest([{ ...one, sourceKey: 'k\u0000' }, { ...two, city: 'Cleve\udfffland' }, three, odd]);
    assert.deepEqual([report.status, report.accepted, report.rejected], ['completed', 1, 3]);
  });

  it('yields to other work while it reads', async () => {
    let turns = 0;
    let reading = true;
    const count = () => {
      turns += 1;
      if (reading) setImmediate(count);
    };
    setImmediate(count);
    await ingest(observeMany(200));
    reading = false;
    assert.ok(turns > 8, `${turns} turns`);
  });

  it('gives up a run that an earlier process left behind', async () => {
    await database.knex('source_runs').insert({ source_name: 'exchange', started_at: clock.now, status: 'running' });
    await ingest(observeMany(1));
    assert.deepEqual(await database.knex('source_runs').orderBy('id').pluck('status'), ['abandoned', 'completed']);
  });
});
