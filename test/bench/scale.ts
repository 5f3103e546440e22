import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import { absent, known, valueOf } from '../../src/absence.js';
import { createProgressLine } from '../../src/terminal/progress-line.js';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { migrate } from '../../src/db/migrate.js';
import { findCountyOfZip } from '../../src/places/metros/zip-counties.js';
import { carriedTables } from '../../src/underwriting/rents/carried-tables.js';
import { metros } from '../../src/places/metros/metros.js';
import { observe } from '../listings/observation.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { startTestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { readSource } from '../support/read-source.js';
import { createGeneratedSource } from './generated-source.js';
import { atLeast, atMost, type Report } from './report.js';
import { watchShare } from './share.js';
import type { ScaleAnswer, ScaleOrder } from './scale-server.js';

const hourMs = 3_600_000;
const changes = 1_000;

/**
 * Measures the whole way of many listings and signals into their feeds on PostgreSQL, an incremental run over it, and
 * what a server costs that has all of it loaded: as it was published, and at once when it starts.
 */
export async function measureScale(
  report: Report,
  url: string,
  counts: { readonly listings: number; readonly signals: number },
): Promise<void> {
  const schema = `bench_scale_${process.pid}`;
  const knex = createPostgresKnex({ url, schema, poolSize: 4, statementTimeoutMs: 600_000 });
  await knex.raw('drop schema if exists ?? cascade', [schema]);
  await knex.raw('create schema ??', [schema]);
  await migrate(knex);
  const database = { kind: 'postgres' as const, knex, maintain: async () => {}, close: async () => {} };
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const app = await startTestApp({ withData: false, database, settler: createInstantSettler(), now });
  const listings = createGeneratedSource({
    delivers: 'listings',
    count: counts.listings,
    changes,
    make: makeListing,
    now,
  });
  const signals = createGeneratedSource({ delivers: 'signals', count: counts.signals, changes, make: makeSignal, now });

  const time = createTimer(report);

  report.title(
    `${counts.listings} listings and ${counts.signals} signals, from their source into the feeds (PostgreSQL)`,
  );
  const read = await time('listings: read', counts.listings, (show) => readSource(app, listings, show));
  const composed = await time('listings: underwritten, proven, published', counts.listings, (show) =>
    app.pipeline.publish('all', { onProgress: ({ published }) => show(Number(published)) }),
  );
  const through = counts.listings / (read + composed);
  report.figure({ name: 'listings through the whole', value: through, unit: '/s', goal: atLeast(3_000) });
  const alone = await timeTexts(knex, time);
  report.figure({ name: 'the whole against the texts alone', value: alone / through, unit: 'x the time' });
  // Not before: where it loads what is published, it takes the cores of those who publish.
  const server = await startServer({ url, schema });
  const signalsRead = await time('signals: read', counts.signals, (show) => readSource(app, signals, show));
  // What was written down half a minute before a publication is looked at again by the next: jobs have hours of their
  // own.
  aheadMs += hourMs;
  // Deals were published before the signals were read: this is the second publication of all. Most signals are leads,
  // too.
  const published = await time('all feeds: published', counts.listings + counts.signals, (show) =>
    app.pipeline.publish('all', { onProgress: ({ published: done }) => show(Number(done)) }),
  );
  const peakMb = process.resourceUsage().maxRSS / 1_000;
  report.figure({ name: 'publishing process: peak memory', value: peakMb, unit: 'MB', goal: atMost(1_500) });

  aheadMs += hourMs;
  // Not while it loads what was just published: it takes the cores.
  await server.ask({ kind: 'refresh' });
  let ofEvents = NaN;
  const incremental = await time(`${changes} changed of each: read to published`, 2 * changes, async () => {
    // Only what has changed: whoever accepts a smaller delivery has it read whole.
    await readSource(app, listings, undefined, false);
    await readSource(app, signals, undefined, false);
    const told = await watchShare();
    await app.pipeline.publish('changed');
    ofEvents = await told('/feeds/events/');
  });
  const more = (100 * ofEvents) / (1 - ofEvents);
  report.figure({ name: 'events of an incremental publication', value: more, unit: '% of the rest', goal: atMost(10) });
  // Once everything: the first publication of the deals alone is not counted.
  const whole = read + signalsRead + published;
  const share = (100 * incremental) / whole;
  report.figure({ name: 'the incremental run', value: share, unit: '% of the whole', goal: atMost(3) });

  const { blockedMs = NaN } = await server.ask({ kind: 'refresh' });
  const { residentMb = NaN } = await server.ask({ kind: 'weigh' });
  const loaded = 'server that loads what is published';
  report.figure({ name: `${loaded}: memory`, value: residentMb, unit: 'MB', goal: atMost(1_000) });
  report.figure({ name: `${loaded}: event loop blocked at most`, value: blockedMs, unit: 'ms', goal: atMost(50) });
  // As its housekeeping would do in the minutes after: it takes a core.
  await knex.raw('vacuum (analyze)');
  const { costs = {} } = await server.ask({ kind: 'measure', addresses: someAddresses(counts.signals) });
  for (const [what, cost] of Object.entries(costs)) {
    const { cpuMs, wallMs, goal: wanted } = cost;
    const goalOf = (part: 'cpuMs' | 'wallMs') => (wanted?.of === part ? { goal: atMost(wanted.atMost) } : {});
    report.figure({ name: what, value: cpuMs, unit: 'ms CPU', ...goalOf('cpuMs') });
    report.figure({ name: `${what}, until the answer`, value: wallMs, unit: 'ms', ...goalOf('wallMs') });
  }
  server.stop();

  const startedAt = performance.now();
  const later = await startServer({ url, schema });
  await later.ask({ kind: 'refresh' });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { residentMb: laterMb = NaN } = await later.ask({ kind: 'weigh' });
  const starting = 'server that starts when all is published';
  report.figure({ name: `${starting}: memory`, value: laterMb, unit: 'MB', goal: atMost(1_000) });
  report.figure({ name: `${starting}: ready after`, value: seconds, unit: 's', goal: atMost(6) });
  later.stop();
  await app.stop();
  await knex.raw('drop schema ?? cascade', [schema]);
  await knex.destroy();
}

/**
 * The least that could be done for a listing: its text is made of what is known, and written under its id. How many of
 * these there are a second tells how fast the machine is just now.
 */
async function timeTexts(knex: Knex, time: ReturnType<typeof createTimer>): Promise<number> {
  const texts: string[] = await knex('published_records').where({ feed: 'deals' }).limit(5_000).pluck('full_json');
  const deals = texts.map((text) => JSON.parse(text) as { readonly id: string });
  await knex.schema.createTable('texts_alone', (table) => {
    table.uuid('id').primary();
    table.text('text');
  });
  const seconds = await time('their texts, made and written alone', deals.length, async () => {
    for (let start = 0; start < deals.length; start += 100) {
      const rows = deals.slice(start, start + 100).map((deal) => ({ id: deal.id, text: JSON.stringify(deal) }));
      await knex('texts_alone').insert(rows);
    }
  });
  return deals.length / seconds;
}

/**
 * Runs steps, shows how far each has come, and tells how long it took: in all, in seconds, and of this process's CPU.
 */
function createTimer(report: Report) {
  return async (
    what: string,
    count: number,
    run: (show: (done: number) => void) => Promise<unknown>,
  ): Promise<number> => {
    const startedAt = performance.now();
    const before = process.cpuUsage();
    const line = createProgressLine(process.stderr, () => new Date());
    await run((done) => line.show(`  ${what} ... ${done}`));
    line.clear();
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(before);
    report.figure({ name: what, value: seconds, unit: `s, ${(count / seconds).toFixed(0)} records/s` });
    report.figure({ name: `${what}, each`, value: (user + system) / 1_000 / count, unit: 'ms CPU' });
    return seconds;
  };
}

/** Addresses of published records, spelled as people spell them. */
function someAddresses(published: number): string[] {
  return Array.from({ length: 1_000 }, (_, index) => {
    const { address, city, state, zip } = makeSignal((index * 17) % published, false);
    return `${valueOf(address)?.toLowerCase()}, ${valueOf(city)}, ${state} ${valueOf(zip)}`;
  });
}

/** The ZIPs with rents of the year in force, by county. */
const zipsByCounty = new Map<string, string[]>();
for (const { header, list } of carriedTables())
  if (header.table === 'safmr' && header.fiscal_year === 2027)
    for (const { code } of list()) {
      const county = findCountyOfZip(code) ?? '';
      zipsByCounty.set(county, [...(zipsByCounty.get(county) ?? []), code]);
    }

function makeListing(index: number, isChanged: boolean) {
  const metro = metros[index % metros.length];
  if (metro === undefined) throw new Error('There are metros.');
  const zips = zipsByCounty.get(metro.countyFips) ?? [];
  const price = 150_000 + ((index * 7_919) % 900) * 1_000 + (isChanged ? 5_000 : 0);
  return observe({
    sourceKey: `k${index}`,
    address: known(`${1 + Math.floor(index / 60)} ${streets[index % streets.length]}`),
    city: metro.name,
    state: metro.state,
    zip: known(zips[index % zips.length] ?? '44105'),
    listPrice: known(`${price}.00`),
    units: known(2 + (index % 30)),
    capRate: index % 3 === 0 ? absent('not_stated_by_source') : known(`${4 + (index % 70) / 10}`),
  });
}

const streets = [
  'Main St',
  'Oak Ave',
  'Maple Dr',
  'Elm Ct',
  'Pine Rd',
  'Cedar Ln',
  'Lake Blvd',
  'Hill Ter',
  'Park Pl',
  'River Way',
];

function makeSignal(index: number, isChanged: boolean) {
  const metro = metros[index % metros.length];
  if (metro === undefined) throw new Error('There are metros.');
  const zips = zipsByCounty.get(metro.countyFips) ?? [];
  return observeSignal({
    sourceKey: `k${index}`,
    countyFips: metro.countyFips,
    state: metro.state,
    address: known(`${1 + Math.floor(index / 60)} ${streets[index % streets.length]}`),
    city: known(metro.name),
    zip: known(zips[index % zips.length] ?? '44105'),
    parcelId: String(100_000_000 + index),
    amount: `${500 + ((index * 104_729) % 90_000)}.${isChanged ? '50' : '00'}`,
  });
}

interface ScaleServer {
  ask(order: ScaleOrder): Promise<ScaleAnswer>;
  stop(): void;
}

async function startServer(database: { readonly url: string; readonly schema: string }): Promise<ScaleServer> {
  const child: ChildProcess = fork(fileURLToPath(new URL('./scale-server.js', import.meta.url)), {
    execArgv: ['--expose-gc'],
  });
  const ask = (order: ScaleOrder) =>
    new Promise<ScaleAnswer>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`The server of the measurement ended with ${code}`));
      child.once('exit', onExit);
      child.once('message', (reply) => {
        child.off('exit', onExit);
        resolve(reply as ScaleAnswer);
      });
      child.send(order);
    });
  await ask({ kind: 'start', ...database });
  return { ask, stop: () => child.disconnect() };
}
