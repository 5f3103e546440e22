import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJobs } from '../../jobs/create-jobs.js';
import { createJobRunsStore } from '../../jobs/job-runs-store.js';
import { createRunDue } from '../../jobs/run-due.js';
import { timetable } from '../../jobs/timetable.js';
import type { Database } from '../../src/db/database.js';
import type { CheckPorts } from '../../src/operator/checks/check.js';
import { checks } from '../../src/operator/checks/checks.js';
import { readContent } from '../../src/operator/checks/database-reader.js';
import { findProjectFile } from '../../src/project-file.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openTestDatabase } from '../support/database.js';
import { dropListings } from '../support/drop-listings.js';

const dayMs = 86_400_000;
const listings = 5;
/** An account of the roll of Dallas, by the columns of its fields. */
const roll = [
  [1, '00000100000000001'],
  [35, '2024'],
  [39, '1001'],
  [43, '00000100000000001'],
  [77, '00000245000'],
  [226, 'EXAMPLE HOLDINGS LLC'],
  [440, 'R'],
  [441, '100'],
  [449, 'EXAMPLE AVE, DA'],
  [490, '00000301200'],
] as const;

describe('two instances on one database, one of which has neither drop folder nor file of sources', () => {
  const directory = mkdtempSync(join(tmpdir(), 'volumes-'));
  const file = join(directory, 'sources.json');
  let nowMs = Date.parse('2026-11-22T05:00:00.000Z');
  let database: Database;
  let sighted: TestApp;
  let blind: TestApp;

  async function start(name: string, environment = {}): Promise<TestApp> {
    const settings = { INSTANCE_NAME: name, CONTACT_URL: 'https://deals.example/about', ...environment };
    const app = await startTestApp({ database, withData: false, now: () => new Date(nowMs), environment: settings });
    // Removes the demonstration's own deliveries from the test.
    return { ...app, deliver: async () => undefined };
  }

  before(async () => {
    writeFileSync(
      join(directory, 'roll.txt'),
      `${roll.reduce((text, [at, value]) => text.padEnd(at - 1) + value, '').padEnd(500)}\n`,
    );
    const { sources } = JSON.parse(readFileSync(findProjectFile('sources.example.json'), 'utf8')) as {
      sources: { kind: string }[];
    };
    const entry = sources.find(({ kind }) => kind === 'fixed-width');
    writeFileSync(file, JSON.stringify({ sources: [{ ...entry, enabled: true, document: { file: 'roll.txt' } }] }));
    database = await openTestDatabase();
    sighted = await start('one', { SOURCES_FILE: file });
    blind = await start('two');
    const rows = Array.from(
      { length: listings },
      (_, at) => `k${at},${at + 100} Example Ave,Cleveland,OH,44105,300000,4,9.5`,
    );
    dropListings(sighted.config.dropDirectory, rows.join('\n'), { name: 'brokers' });
    rmSync(blind.config.dropDirectory, { recursive: true });
  });
  after(async () => {
    await sighted?.stop();
    await blind?.stop();
    await database?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Days later both run the jobs that read, in this order. Their last beat was a moment ago. */
  async function pass(days: number, order: () => readonly TestApp[]): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      nowMs += dayMs;
      for (const app of order()) {
        await database.knex('instances').update({ seen_at: database.knex.fn.now() });
        const parts = { store: createJobRunsStore(database.knex), jobs: createJobs(app), timetable, ...app };
        for (const job of ['signals', 'listings'])
          assert.equal(await createRunDue(parts)(job, new Date(nowMs), new AbortController().signal), true);
      }
    }
  }

  async function countSold(): Promise<readonly number[]> {
    await blind.pipeline.refresh();
    const { deals, signals } = blind.feeds;
    const active = await database.knex('listing_sources').where({ active: true });
    const open = await database.knex('signals').whereNull('resolved_at');
    return [deals.current().records.length, signals.current().records.length, active.length, open.length];
  }
  const whole = [listings, 1, listings, 1];

  async function findUnseen() {
    const check = checks.find(({ id }) => id === 'data.unseen') ?? assert.fail();
    return check.look({ readContent: () => readContent(database.knex, []) } as unknown as CheckPorts);
  }

  it('retires nothing in 50 days, whichever is first, and calls no source unseen that the other sees', async () => {
    await pass(1, () => [sighted]);
    assert.deepEqual(await countSold(), whole);
    await pass(49, () => (nowMs % (2 * dayMs) < dayMs ? [blind, sighted] : [sighted, blind]));
    assert.deepEqual(await countSold(), whole);
    assert.equal(await findUnseen(), undefined);
  });

  it('retires nothing in 50 days without any volume, and names each source with who saw it last', async () => {
    rmSync(file);
    rmSync(sighted.config.dropDirectory, { recursive: true });
    await pass(50, () => [blind, sighted]);
    assert.deepEqual(await countSold(), whole);
    const found = await findUnseen();
    for (const name of ['brokers', 'dallas-tax-roll']) {
      assert.match(
        found?.sentence ?? '',
        new RegExp(`the source ${name} since 2027-01-[0-9TZ:.-]+; one saw it last\\.`),
      );
    }
  });
});

describe('two instances that have one source in different ways', () => {
  it('are named by data.local, until they have it in one way', async () => {
    const database = await openTestDatabase();
    const apps: TestApp[] = [];
    for (const name of ['blue', 'green'])
      apps.push(await startTestApp({ database, withData: false, environment: { INSTANCE_NAME: name } }));
    try {
      const licence = (attribution: string) => ({ class: 'licensed', mayStore: true, mayResell: true, attribution });
      const row = 'k1,100 Example Ave,Cleveland,OH,44105,300000,4,9.5';
      async function readDiffering() {
        for (const { pipeline } of apps) await pipeline.ingest();
        await database.knex('instances').update({ seen_at: database.knex.fn.now() });
        return (await readContent(database.knex, [])).differing;
      }
      for (const [index, { config }] of apps.entries())
        dropListings(config.dropDirectory, row, { name: 'brokers', licence: licence(`Broker ${index}`) });
      assert.deepEqual(await readDiffering(), [{ source: 'brokers', instances: ['blue', 'green'] }]);
      for (const { config } of apps)
        dropListings(config.dropDirectory, undefined, { name: 'brokers', licence: licence('Broker 1') });
      assert.deepEqual(await readDiffering(), []);
    } finally {
      for (const app of apps) await app.stop();
      await database.close();
    }
  });
});
