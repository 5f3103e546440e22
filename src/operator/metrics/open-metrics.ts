import { setInterval } from 'node:timers';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Contract } from '../../contract/contract.js';
import type { Database } from '../../db/database.js';
import type { ReadFigure } from '../../pages/operator/operator-page.js';
import type { Log } from '../../log.js';
import { readBooks } from '../../payments/audit/books-reader.js';
import type { Payments } from '../../payments/open-payments.js';
import { keptFor } from '../../db/kept-for.js';
import { createCallMetrics } from './call-metrics.js';
import { createDemand } from './demand.js';
import { addDemand } from './demand-store.js';
import { countRpcCalls } from './rpc-metrics.js';
import { createServiceMetrics } from './service-metrics.js';
import { createServiceReader } from './service-reader.js';
import { countStatements } from './statement-metrics.js';

/** The running service, as far as it is measured. */
export interface MeasuredService {
  readonly config: { readonly settlement: { readonly maxFeeWei: bigint } };
  readonly contract: Contract;
  readonly database: Pick<Database, 'knex'>;
  readonly feeds: object;
  readonly selling: Pick<Payments, 'client' | 'terms' | 'tally'>;
  readonly owner: string;
  readonly now: () => Date;
  readonly log: Log;
  /** `obstacle`: why it cannot sell now. Asks nobody. */
  readonly readReadiness: () => { readonly obstacle: string | undefined; readonly body: object };
  /** Of a watch, how each check went last. */
  readonly watch: {
    looked(): readonly { readonly id: string; readonly state: string; readonly severity: string }[];
  };
}

export type Timetable = readonly { readonly job: string; readonly periodMs: number }[];

const [lookMs, writeMs] = [30_000, 60_000];
/** Whole tables are compared for them. */
const booksMs = 600_000;

/** Begins to measure. */
export function openMetrics(service: MeasuredService, timetable: Timetable) {
  const { config, contract, database, feeds, selling, owner, now, log, readReadiness, watch } = service;
  const { knex } = database;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'deals_' });
  const demand = createDemand(contract, (rows) => addDemand(knex, rows));
  const onAnswered = createCallMetrics(registry, contract, demand);
  const jobPeriods = new Map(timetable.map(({ job, periodMs }) => [job, periodMs / 1_000]));
  const look = createServiceMetrics(registry, {
    ...{ jobPeriods, maxFeeWei: config.settlement.maxFeeWei, tally: selling.tally },
    chain: { client: selling.client, network: selling.terms.network },
    countRecords: () => countRecords(feeds),
    reader: createServiceReader(knex, {
      ...{ owner, jobs: [...jobPeriods.keys()] },
      readBooks: keptFor(booksMs, () => readBooks(knex, now())),
    }),
  });
  new Gauge({
    ...{ name: 'deals_ready', help: 'Whether this instance can sell.', registers: [registry] },
    collect() {
      this.set(Number(readReadiness().obstacle === undefined));
    },
  });
  new Gauge({
    ...{
      name: 'deals_check',
      help: 'What a live check finds: 0 nothing, 1 a warning, 2 what keeps this instance from selling.',
      labelNames: ['check'],
      registers: [registry],
    },
    collect() {
      this.reset();
      for (const { id: check, state, severity } of watch.looked())
        if (state !== 'skipped') this.set({ check }, state === 'ok' ? 0 : severity === 'warn' ? 1 : 2);
    },
  });
  new Counter({
    ...{ name: 'deals_log_lines_total', help: 'Lines of the log.', labelNames: ['level'], registers: [registry] },
    collect() {
      this.reset();
      for (const [level, count] of log.lines ?? []) this.inc({ level }, count);
    },
  });
  countStatements(knex, registry);
  countRpcCalls(selling.client, registry);
  const build = { name: 'deals_build_info', help: 'What runs.', labelNames: ['version'], registers: [registry] };
  new Gauge(build).set({ version: contract.document.info.version }, 1);
  const firstLook = look();
  const timers = [
    setInterval(() => void look(), lookMs).unref(),
    setInterval(() => void demand.flush(), writeMs).unref(),
  ];
  return {
    onAnswered,
    mediaType: registry.contentType,
    /** Asks neither database nor chain; waits for the first look. */
    async render(): Promise<string> {
      await firstLook;
      return registry.metrics();
    },
    /** The present values of one of them, without `deals_`. */
    async read(name: string): Promise<ReturnType<ReadFigure>> {
      const values = (await registry.getSingleMetric(`deals_${name}`)?.get())?.values ?? [];
      return values.map(({ labels, value }) => ({ labels: labels as Record<string, string>, value }));
    },
    /** Writes what was asked for, before its time. */
    flush: demand.flush,
    async close(): Promise<void> {
      for (const each of timers) clearInterval(each);
      await demand.flush();
    },
  };
}

function countRecords(feeds: object): ReadonlyMap<string, number> {
  const all = Object.entries(feeds as Record<string, { current(): { readonly records: { readonly length: number } } }>);
  return new Map(all.map(([name, feed]) => [name, feed.current().records.length]));
}
