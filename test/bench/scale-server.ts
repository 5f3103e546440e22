import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { createPostgresKnex } from '../../src/db/create-knex.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';

/** A server that only sells what another process publishes, in a process of its own: told by its parent what and when. */
export type ScaleOrder =
  | { readonly kind: 'start'; readonly url: string; readonly schema: string }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'measure' };

export interface ScaleAnswer {
  /** The longest that the event loop was blocked while the feeds were loaded. */
  readonly blockedMs?: number;
  /** Of the process, all feeds loaded. */
  readonly residentMb?: number;
  /** CPU of this process by what was asked. */
  readonly cpuMs?: Readonly<Record<string, number>>;
}

let app: TestApp | undefined;

process.on('message', (order: ScaleOrder) => void answer(order).then((reply) => process.send?.(reply)));

async function answer(order: ScaleOrder): Promise<ScaleAnswer> {
  if (order.kind === 'start') {
    const knex = createPostgresKnex({ url: order.url, schema: order.schema, poolSize: 4 }, pino({ level: 'silent' }));
    const database = { kind: 'postgres' as const, knex, maintain: async () => {}, close: async () => {} };
    app = await startTestApp({ withData: false, database, settler: createInstantSettler() });
    return {};
  }
  if (app === undefined) throw new Error('Start it first.');
  if (order.kind === 'refresh') return refresh(app);
  return { cpuMs: await measureAll(app) };
}

async function refresh({ work }: TestApp): Promise<ScaleAnswer> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work.refresh();
  delay.disable();
  global.gc?.();
  return { blockedMs: delay.max / 1e6, residentMb: process.memoryUsage().rss / 1e6 };
}

const rounds = 300;

async function measureAll({ feeds, url }: TestApp): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const measure = async (what: string, run: (index: number) => Promise<unknown>): Promise<void> => {
    for (let index = 0; index < rounds; index++) await run(index);
    const before = process.cpuUsage();
    for (let index = rounds; index < 2 * rounds; index++) await run(index);
    const { user, system } = process.cpuUsage(before);
    found[what] = (user + system) / 1_000 / rounds;
  };
  await measure('50 deals of a state above a price', (index) =>
    feeds.deals.page('full', { filter: { state: 'OH', minPriceCents: 20_000_000 + index * 100 }, limit: 50 }),
  );
  await measure('50 signals of a county above an amount', (index) =>
    feeds.signals.page('full', { filter: { county: '39035', minAmountCents: 100_000 + index }, limit: 50 }),
  );
  await measure('a free request, for comparison', async () => (await fetch(`${url}/health`)).text());
  return found;
}
