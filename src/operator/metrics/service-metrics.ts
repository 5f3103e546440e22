import { Counter, Gauge, type Registry } from 'prom-client';
import type { ChainClient } from '../../payments/chain/clients.js';
import type { PaymentTerms } from '../../payments/terms.js';
import { readGasLeft } from '../../payments/settlement/relayer/gas-left.js';
import { promisedEveryHours } from '../../sources/judge-freshness.js';
import type { RelayerTally } from '../../payments/settlement/relayer/relayer-tally.js';
import { createTimes } from './create-times.js';
import type { ServiceFacts, ServiceReader } from './service-reader.js';

export interface ServiceMetricsPorts {
  readonly reader: ServiceReader;
  readonly chain: { readonly client: ChainClient | undefined; readonly network: PaymentTerms['network'] };
  readonly maxFeeWei: bigint;
  readonly tally: Pick<RelayerTally, 'replaced' | 'displaced'>;
  /** How often each job is due, in seconds. */
  readonly jobPeriods: ReadonlyMap<string, number>;
  /** How many records each feed has in memory. */
  readonly countRecords: () => ReadonlyMap<string, number>;
}

/** What is so at a moment: its meaning, and its labels. */
const gauges = {
  payments: ['Payments that were claimed within a day.', 'state'],
  oldest_open_payment_seconds: ['Age of the oldest payment with an open outcome.'],
  refunds_due: ['Refunds that buyers are due.'],
  lost_sales: ['Sales on the chain that the ledger does not have.'],
  ledger_difference_microusdc: ['Chain less ledger less orphans, in millionths of a USDC.'],
  audit_age_seconds: ['Since the last audit.'],
  instances: ['Instances that run.'],
  source_age_periods: ['Since a source was last in order, in its own periods.', 'source'],
  source_unseen_seconds: ['Since when no instance sees a source; 0 where one does.', 'source'],
  source_records: ['Rows of its last reading that was believed.', 'source'],
  feed_records: ['Records on offer.', 'feed'],
  feed_published_age_seconds: ['Since the feed was published.', 'feed'],
  job_age_periods: ['Since a job last succeeded, in its own periods.', 'job'],
  job_running_seconds: ['How long a job has been running.', 'job'],
  chain_head_age_seconds: ['Age of the newest block.'],
  chain_block_seconds: ['Between two blocks.'],
  chain_finality_lag_seconds: ['From the newest final block to the newest.'],
  relayer_balance_gwei: ['What the relayer of this instance has.', 'relayer'],
  relayer_runway_settlements: ['How many settlements that pays for, at the highest fee.', 'relayer'],
  relayer_runway_seconds: ['For how long, at the rate of the last day; 30 days at most.', 'relayer'],
  relayer_nonce_stuck_seconds: ['How long its oldest transaction has waited.', 'relayer'],
  relayer_leased: ['Whether this instance holds the key.', 'relayer'],
} as const;

const counters = {
  settlements_total: ['Payments of this instance: mined, failed, replaced or displaced.', 'result'],
  gas_spent_gwei_total: ['Gas money of payments that this instance settled.', 'result'],
  gas_used_total: ['Gas of payments of this instance that failed on the chain.', 'result'],
  refunded_microusdc_total: ['What was given back, by any instance, in millionths of a USDC.', 'operation'],
  job_runs_total: ['Runs that this instance ended.', 'job', 'result'],
} as const;

const mostSources = 200;
const [hourSeconds, longestRunwaySeconds] = [3_600, 30 * 86_400];

/** Tells what the service is, each time that it looks. What could not be asked is away: doubt is told by absence. */
export function createServiceMetrics(registry: Registry, ports: ServiceMetricsPorts) {
  const registers = [registry];
  const { reader, chain } = ports;
  const open = <Metric>(
    Kind: new (options: { name: string; help: string; labelNames: string[]; registers: Registry[] }) => Metric,
    table: object,
  ) =>
    new Map(
      Object.entries(table as Record<string, [string, ...string[]]>).map(([name, [help, ...labelNames]]) => [
        name,
        new Kind({ name: `deals_${name}`, help, labelNames, registers }),
      ]),
    );
  const [gaugeOf, counterOf] = [open(Gauge<string>, gauges), open(Counter<string>, counters)];
  const settleTimes = createTimes(
    registry,
    'settle_seconds',
    'How long settlements took, from the claim on.',
    'result',
    ['mined'],
  );
  const countTallied = sinceLast(ports.tally);
  const set = (name: keyof typeof gauges, value: number, labels = {}): void => gaugeOf.get(name)?.set(labels, value);
  const add = (name: keyof typeof counters, value: number, labels: object): void =>
    counterOf.get(name)?.inc({ ...labels }, value);

  new Gauge({
    ...{ name: 'deals_db_pool', help: 'Connections to the database.', labelNames: ['state'], registers },
    collect() {
      for (const [state, count] of Object.entries(reader.countConnections())) this.set({ state }, count);
    },
  });

  function tell({ at, books, standings, ...facts }: ServiceFacts): void {
    const since = (moment: Date): number => (at.getTime() - moment.getTime()) / 1_000;
    add('settlements_total', facts.mined, { result: 'mined' });
    for (const each of facts.settleSeconds) settleTimes.observe('mined', each);
    add('gas_spent_gwei_total', facts.minedGwei, { result: 'mined' });
    add('settlements_total', facts.failed, { result: 'failed' });
    for (const [result, count] of countTallied()) add('settlements_total', count, { result });
    add('gas_used_total', facts.failedGas, { result: 'failed' });
    for (const [state, count] of Object.entries(facts.payments)) set('payments', count, { state });
    set('oldest_open_payment_seconds', facts.oldestOpenSeconds);
    set('refunds_due', books.refundsDue);
    counterOf.get('refunded_microusdc_total')?.reset();
    for (const [operation, sum] of Object.entries(facts.refunded)) add('refunded_microusdc_total', sum, { operation });
    set('lost_sales', books.lostSales);
    set('ledger_difference_microusdc', Number(books.differenceMicroUsd));
    if (books.auditedAt) set('audit_age_seconds', since(books.auditedAt));
    set('instances', facts.instances);
    for (const each of standings.filter(({ removed }) => !removed).slice(0, mostSources)) {
      const labels = { source: each.name };
      const periodSeconds = promisedEveryHours(each.delivers) * hourSeconds;
      if (each.lastSuccessAt) set('source_age_periods', since(each.lastSuccessAt) / periodSeconds, labels);
      set('source_unseen_seconds', each.unseenSince ? since(each.unseenSince) : 0, labels);
      set('source_records', each.rows, labels);
    }
    for (const { feed, ageSeconds } of facts.feeds) set('feed_published_age_seconds', ageSeconds, { feed });
    for (const [feed, count] of ports.countRecords()) set('feed_records', count, { feed });
    for (const { job, doneSeconds, runningSeconds, succeeded, failed } of facts.jobs) {
      const period = ports.jobPeriods.get(job) ?? Infinity;
      // What is due each minute leaves no trace where there is nothing to do.
      if (doneSeconds !== null && period >= hourSeconds) set('job_age_periods', doneSeconds / period, { job });
      set('job_running_seconds', runningSeconds ?? 0, { job });
      add('job_runs_total', succeeded, { job, result: 'succeeded' });
      add('job_runs_total', failed, { job, result: 'failed' });
    }
  }

  async function tellChain(client: ChainClient, { at, payments: { settled }, relayer }: ServiceFacts): Promise<void> {
    const head = await client.getBlock({ blockTag: 'latest' });
    set('chain_head_age_seconds', Math.max(at.getTime() / 1_000 - Number(head.timestamp), 0));
    for (const [name, ms] of [
      ['chain_finality_lag_seconds', client.times.finalityLagMs],
      ['chain_block_seconds', client.times.blockMs],
    ] as const)
      await ms().then(
        (value) => set(name, value / 1_000),
        () => undefined,
      );
    if (relayer === null) return;
    const [{ balanceWei, settlementsLeft: left }, nonce] = await Promise.all([
      readGasLeft({ client, network: chain.network }, relayer, ports.maxFeeWei),
      client.getTransactionCount({ address: relayer, blockTag: 'latest' }),
    ]);
    set('relayer_leased', 1, { relayer });
    set('relayer_balance_gwei', Number(balanceWei / 1_000_000_000n), { relayer });
    set('relayer_runway_settlements', left, { relayer });
    const perSecond = Math.max(settled, 1) / (24 * hourSeconds);
    set('relayer_runway_seconds', Math.min(left / perSecond, longestRunwaySeconds), { relayer });
    set('relayer_nonce_stuck_seconds', await reader.readStuckSeconds(relayer, nonce), { relayer });
  }

  /** Asks database and chain. Never rejects. */
  return async (): Promise<void> => {
    const facts = await reader.read().catch(() => undefined);
    for (const [name, each] of gaugeOf) {
      each.reset();
      // Without labels it would be 0.
      if (gauges[name as keyof typeof gauges].length === 1) each.remove();
    }
    if (facts === undefined) return;
    tell(facts);
    if (chain.client) await tellChain(chain.client, facts).catch(() => undefined);
  };
}

/** What was added to a tally since it was asked before. */
function sinceLast(tally: ServiceMetricsPorts['tally']) {
  const told = { replaced: 0, displaced: 0 };
  return () =>
    (['replaced', 'displaced'] as const).map((result) => {
      const count = tally[result] - told[result];
      told[result] = tally[result];
      return [result, count] as const;
    });
}
