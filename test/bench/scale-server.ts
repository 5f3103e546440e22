import { existsSync, readFileSync } from 'node:fs';
import { pino } from 'pino';
import { createLookUpAddress } from '../../src/api/data/look-up-address.js';
import { createListSignals } from '../../src/api/data/list-signals.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { createReadTable } from '../../src/api/coverage/coverage-table.js';
import { readSourceCoverage } from '../../src/sources/coverage-reader.js';
import { createValidators } from '../../src/contract/validators.js';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { openPublishing } from '../../src/publishing/open-publishing.js';
import { createReadAt } from '../../src/api/data/published-records.js';
import { createRenderSignalPage } from '../../src/records/feeds/signal-page.js';
import { openDemonstration } from '../../src/demo/open-demonstration.js';
import { createPageTokens } from '../../src/feeds/page-token.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { median } from './median.js';

/**
 * A server that only sells what another process publishes, in a process of its own: told by its parent what and when.
 */
export type ScaleOrder =
  | { readonly kind: 'start'; readonly url: string; readonly schema: string }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'weigh' }
  | { readonly kind: 'measure'; readonly addresses: readonly string[] };

export interface ScaleAnswer {
  /**
   * The longest that this process kept its event loop busy since it started, while it loaded what was published
   * meanwhile.
   */
  readonly blockedMs?: number;
  /**
   * Of the process, after its garbage was collected: all at once, which holds it up as nothing does that runs by
   * itself.
   */
  readonly residentMb?: number;
  /** By what was asked. */
  readonly costs?: Readonly<Record<string, Cost>>;
}

/** Per question: CPU of this process, and the time until it was answered; each the median of some rounds. */
export interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly goal?: Goal;
}

/**
 * What a question may cost: from memory what counts is the CPU; where the database is asked, the time until its answer.
 */
interface Goal {
  readonly of: 'cpuMs' | 'wallMs';
  readonly atMost: number;
}

const log = pino({ level: 'silent' });
const now = (): Date => new Date();
let app: TestApp | undefined;
let watch: LoopWatch | undefined;

process.on('message', (order: ScaleOrder) => void answer(order).then((reply) => process.send?.(reply)));

// The parent is done with it, or gone.
process.on('disconnect', () => void app?.stop().then(() => process.exit(0)));

async function answer(order: ScaleOrder): Promise<ScaleAnswer> {
  if (order.kind === 'start') {
    const knex = createPostgresKnex({ url: order.url, schema: order.schema, poolSize: 4 });
    const database = { kind: 'postgres' as const, knex, maintain: async () => {}, close: async () => {} };
    app = await startTestApp({ withData: false, database, settler: createInstantSettler() });
    watch = watchEventLoop();
    return {};
  }
  if (app === undefined) throw new Error('Start it first.');
  if (order.kind === 'measure') {
    // To watch takes a fifth of this process.
    watch?.stop();
    return { costs: await measureAll(app, order.addresses) };
  }
  if (order.kind === 'weigh') {
    global.gc?.();
    return { residentMb: process.memoryUsage().rss / 1e6 };
  }
  await app.pipeline.refresh();
  return { blockedMs: watch?.longestMs() ?? NaN };
}

interface LoopWatch {
  /**
   * How long the event loop was kept busy at a time, at most; the time for which the machine did something else left
   * out.
   */
  longestMs(): number;
  stop(): void;
}

function watchEventLoop(): LoopWatch {
  let longest = 0;
  let [at, cpu, waited] = [performance.now(), process.cpuUsage(), waitedMs()];
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(cpu);
    // The CPU is that of all threads, of those that collect garbage, too.
    const passed = performance.now() - at - (waitedMs() - waited);
    longest = Math.max(longest, Math.min(passed, (user + system) / 1_000));
    [at, cpu, waited] = [performance.now(), process.cpuUsage(), waitedMs()];
  }, 1).unref();
  return { longestMs: () => longest, stop: () => clearInterval(timer) };
}

/** For how long the main thread was ready to run, and another had its core; 0 where the system does not tell. */
function waitedMs(): number {
  if (!tellsWaiting) return 0;
  const [, waitedNs] = readFileSync(schedulerCounts, 'utf8').split(' ');
  return Number(waitedNs) / 1e6;
}

const schedulerCounts = '/proc/self/schedstat';
const tellsWaiting = existsSync(schedulerCounts);

/** Of a question, before it is measured: until its code is compiled, which goes on beside it. */
const warmUps = 3_000;
const questionsPerRound = 1_000;
/** All garbage is collected within one of them, whoever made it: that takes as long as a thousand pages of deals. */
const rounds = 5;

async function measureAll(
  { config, database, feeds, url }: TestApp,
  addresses: readonly string[],
): Promise<Record<string, Cost>> {
  const found: Record<string, Cost> = {};
  const measure = async (what: string, run: (index: number) => Promise<unknown>, goal?: Goal): Promise<void> => {
    for (let index = 0; index < warmUps; index++) await run(index);
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round++)
      costs.push(await measureRound(run, warmUps + round * questionsPerRound));
    const cost = { cpuMs: median(costs.map(({ cpuMs }) => cpuMs)), wallMs: median(costs.map(({ wallMs }) => wallMs)) };
    found[what] = goal === undefined ? cost : { ...cost, goal };
  };
  // The same database through the same readers; what this one holds in memory stays empty.
  const validators = createValidators(loadContract());
  const demonstration = openDemonstration(config.dataDirectory);
  const opened = await openPublishing({
    ...{ config, database, validators, version: '0', demonstration, now, log },
    ...{ tokens: createPageTokens(['a secret of this measurement, long enough']), hashKey: 'a key' },
  });
  const lookUp = createLookUpAddress({
    ...opened,
    feeds,
    readAt: createReadAt(opened.publishers, opened.readPublished),
    coverage: {
      readTable: createReadTable({ readSources: (at) => readSourceCoverage(database.knex, at), feeds, now }),
      retryAfterSeconds: () => 1,
    },
  });
  const listSignals = createListSignals(feeds.signals, createRenderSignalPage(validators), () =>
    Promise.reject(new Error('Nothing matches.')),
  );
  await measure('a statement, for comparison', () => database.knex.raw('select 1'));
  await measure('a free request, for comparison', async () => (await fetch(`${url}/health`)).text());
  await measure(
    '50 deals of a state above a price',
    (index) =>
      feeds.deals.page('full', { filter: { state: ['OH'], minPriceCents: 20_000_000 + index * 100 }, limit: 50 }),
    { of: 'cpuMs', atMost: 0.1 },
  );
  await measure(
    '50 signals of a county above an amount',
    async (index) => listSignals({ query: { county: 'Cuyahoga', min_amount: 1_000 + index, limit: 50 }, path: {} }),
    { of: 'wallMs', atMost: 2 },
  );
  await measure(
    'an address looked up',
    async (index) => lookUp({ query: { address: addresses[index % addresses.length] ?? '' }, path: {} }),
    { of: 'wallMs', atMost: 2 },
  );
  opened.close();
  return found;
}

async function measureRound(run: (index: number) => Promise<unknown>, first: number): Promise<Cost> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  for (let index = first; index < first + questionsPerRound; index++) await run(index);
  const { user, system } = process.cpuUsage(before);
  return {
    cpuMs: (user + system) / 1_000 / questionsPerRound,
    wallMs: (performance.now() - startedAt) / questionsPerRound,
  };
}
