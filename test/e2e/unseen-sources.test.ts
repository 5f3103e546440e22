import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { createJobs } from '../../jobs/create-jobs.js';
import { createJobRunsStore } from '../../jobs/job-runs-store.js';
import { readSourceTable } from '../../jobs/source-table.js';
import { openOperatorCommands } from '../../jobs/open-operator-commands.js';
import { createRunDue } from '../../jobs/run-due.js';
import { timetable } from '../../jobs/timetable.js';
import type { SourceState } from '../../generated/types.gen.js';
import type { Database } from '../../src/db/database.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openTestDatabase } from '../support/database.js';
import { dropListings } from '../support/drop-listings.js';

const listings = 60;
const slots = 100;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const noop = (): void => undefined;

describe('two instances on one database, one of which sees no sources', () => {
  let database: Database;
  let nowMs = Date.parse('2026-11-22T05:00:00.000Z');
  let sighted: TestApp;
  let blind: TestApp;
  const warnings: string[] = [];

  async function start(name: string): Promise<TestApp> {
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    const environment = { INSTANCE_NAME: name };
    const app = await startTestApp({ database, withData: false, now: () => new Date(nowMs), log, environment });
    // Removes the demonstration's own deliveries from the test.
    return { ...app, deliver: async () => undefined };
  }

  before(async () => {
    database = await openTestDatabase();
    sighted = await start('one');
    blind = await start('two');
    const rows = Array.from(
      { length: listings },
      (_, at) => `k${at},${at + 100} Example Ave,Cleveland,OH,44105,300000,4,9.5`,
    );
    dropListings(sighted.config.dropDirectory, rows.join('\n'), { name: 'brokers' });
  });
  after(async () => {
    await sighted.stop();
    await blind.stop();
    await database.close();
  });

  /** The clock of an instance, for one slot of the listings. */
  const runDue = (app: TestApp, slot: Date) =>
    createRunDue({
      store: createJobRunsStore(database.knex),
      jobs: createJobs(app),
      timetable,
      owner: app.owner,
      now: app.now,
      log: app.log,
    })('listings', slot, new AbortController().signal);
  const active = async () => {
    await blind.pipeline.refresh();
    return blind.feeds.deals.current().records.length;
  };
  async function state(app: TestApp): Promise<SourceState | undefined> {
    nowMs += minuteMs;
    const { sources } = (await (await fetch(`${app.url}/api/sources`)).json()) as { sources: SourceState[] };
    return sources.find(({ name }) => name === 'brokers');
  }

  it('retire nothing in 100 slots, whichever is first, and each slot is read by the one that sees the sources', async () => {
    assert.equal(await runDue(sighted, new Date(nowMs)), true);
    assert.equal(await active(), listings);
    for (let slot = 1; slot < slots; slot += 1) {
      nowMs += 24 * hourMs;
      const at = new Date(nowMs);
      assert.equal(await runDue(blind, at), true, 'left to the other, and holds up nothing here');
      if (slot % 40 === 0) assert.equal(await runDue(sighted, at), true);
    }
    assert.equal(await active(), listings);
    const retired = await database.knex('listing_sources').where({ active: false });
    assert.deepEqual(retired, []);
  });

  it('report since when the source is unseen, and to the operator who saw it last and what to do', async () => {
    // The other's process has ended.
    await database.knex('instances').where({ name: 'one' }).delete();
    await runDue(blind, new Date((nowMs += 24 * hourMs)));
    const seen = await state(blind);
    assert.equal(seen?.in_force, true);
    assert.ok(seen.unseen_since !== undefined);
    assert.doesNotMatch(JSON.stringify(seen), /\bone\b|\btwo\b/);
    const [, row] = await readSourceTable(database, new Date(nowMs));
    assert.match(row?.[3] ?? '', /^unseen since 20/);
    assert.match(row?.[7] ?? '', / one$/);
    const warned = warnings.find((line) => line.includes('source unseen'));
    assert.match(warned ?? '', /sources remove brokers/);
    assert.match(warned ?? '', /"lastSeenBy":"one"/);
  });

  it('keep the known rows when the blind instance publishes by itself, or is told to read all', async () => {
    await blind.pipeline.ingest();
    await blind.pipeline.publish('all');
    assert.equal(await active(), listings);
  });

  it('keep them when a manifest becomes invalid, and when a folder disappears between two pages', async () => {
    const folder = sighted.config.dropDirectory;
    writeFileSync(join(folder, 'brokers', 'manifest.json'), '{');
    await sighted.pipeline.ingest();
    await sighted.pipeline.publish('all');
    assert.equal(await active(), listings);
    dropListings(folder, undefined, { name: 'brokers' });
    let pages = 0;
    await sighted.pipeline
      .ingest(() => {
        pages += 1;
        if (pages === 1) rmSync(join(folder, 'brokers'), { recursive: true, force: true });
      })
      .catch(noop);
    await sighted.pipeline.publish('all');
    assert.ok((await active()) >= listings, 'nothing is gone');
    rmSync(folder, { recursive: true });
    const reports = await sighted.pipeline.ingest();
    assert.deepEqual(
      reports.map(({ source, status }) => [source, status]),
      [['DROP_DIR', 'refused']],
    );
    assert.match(reports[0]?.problem ?? '', /cannot be listed\. Create it/);
    await sighted.pipeline.publish('all');
    assert.ok((await active()) >= listings, 'nothing is gone');
  });

  it('take it off sale at once when the operator removes it, even if it is seen again, until it is restored', async () => {
    await openOperatorCommands(blind).runOrder({ do: 'remove-source', source: 'brokers' }, noop);
    assert.equal(await active(), 0);
    await sighted.pipeline.refresh();
    const ids = (await (await fetch(`${sighted.url}/api/deals/ids`)).json()) as { ids?: readonly unknown[] };
    assert.deepEqual(ids.ids ?? [], []);
    assert.equal(await state(sighted), undefined);
    const rows = Array.from(
      { length: listings },
      (_, at) => `k${at},${at + 100} Example Ave,Cleveland,OH,44105,300000,4,9.5`,
    );
    dropListings(sighted.config.dropDirectory, rows.join('\n'), { name: 'brokers' });
    await sighted.pipeline.ingest();
    await sighted.pipeline.publish('all');
    assert.equal(await active(), 0);
    await assert.rejects(
      sighted.pipeline.ingest(undefined, { source: 'brokers' }),
      /is removed. To read and sell it again: npm run cli -- sources restore brokers/,
    );
    await openOperatorCommands(sighted).runOrder({ do: 'restore-source', source: 'brokers' }, noop);
    assert.equal(await active(), listings);
    await assert.rejects(
      openOperatorCommands(sighted).runOrder({ do: 'remove-source', source: 'nobody' }, noop),
      /There is no source "nobody"/,
    );
  });
});

describe('an unreadable part of the configuration', () => {
  it('is reported, and all readable parts are read', async () => {
    const environment = { SOURCES_FILE: '/nowhere/sources.json', CONTACT_URL: 'https://deals.example/about' };
    const app = await startTestApp({ withData: false, environment });
    try {
      dropListings(app.config.dropDirectory, 'k1,100 Example Ave,Cleveland,OH,44105,300000,4,9.5', { name: 'brokers' });
      const reports = await app.pipeline.ingest();
      assert.deepEqual(
        reports.map(({ source, status }) => [source, status]),
        [
          ['SOURCES_FILE', 'refused'],
          ['brokers', 'completed'],
        ],
      );
      await assert.rejects(
        app.pipeline.ingest(undefined, { source: 'county' }),
        /"county".*The sources are brokers\. The file of sources/,
      );
    } finally {
      await app.stop();
    }
  });

  it('still ends rights: rows that an invalid manifest does not license for sale are not sold', async () => {
    const app = await startTestApp({ withData: false });
    try {
      dropListings(app.config.dropDirectory);
      await app.pipeline.ingest();
      await app.pipeline.publish('all');
      assert.equal(app.feeds.deals.current().records.length, 1);
      const licence = {
        class: 'licensed',
        mayStore: true,
        mayResell: false,
        attribution: 'Listings by Broker Exchange',
      };
      dropListings(app.config.dropDirectory, undefined, { licence, file: '../deals.csv' });
      const [report] = await app.pipeline.ingest();
      assert.equal(report?.status, 'refused');
      await app.pipeline.publish('all');
      assert.equal(app.feeds.deals.current().records.length, 0);
    } finally {
      await app.stop();
    }
  });
});
