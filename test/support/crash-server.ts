import { once } from 'node:events';
import { startJobs } from '../../jobs/start-jobs.js';
import { createApp, type App } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { toHex } from '../../src/payments/ledger/payment-row.js';
import { findFaults, readSales } from '../payments/exclusive-sales/audit-holds.js';
import type { AuditedPayment, CrashOrders, CrashReport, CrashRequest } from './crash-messages.js';
import { createCrashPoints } from './crash-points.js';
import { dropListings } from './drop-listings.js';

// The real service as a separate process that kills itself at a named step like a power failure, without flushing or
// notification. `startCrashServer` starts it and controls it over the channel.

const orders = JSON.parse(process.argv[2] ?? '{}') as CrashOrders;
let skewMs = orders.skewSeconds * 1000;
let passedMs = 0;
let statements = 0;
let dies: (CrashRequest & { kind: 'rebuild' })['dies'];

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('SIGKILL is not survived');
}

function tell(report: CrashReport): void {
  process.send?.(report);
}

const points = createCrashPoints({
  die,
  lost: orders.lost ?? [],
  isPlainNode: orders.isPlainNode === true,
  onReached: () => tell({ kind: 'reached' }),
  async prepare() {
    tell({ kind: 'settling' });
    for (let kind; kind !== 'prepared';) [{ kind }] = (await once(process, 'message')) as [CrashRequest];
  },
  advance: (seconds) => void advance(seconds),
});

async function answer(app: App, request: CrashRequest): Promise<void> {
  switch (request.kind) {
    case 'arm':
      points.arm(request);
      return tell({ kind: 'armed' });
    case 'advance':
      await advance(request.seconds);
      return tell({ kind: 'advanced' });
    case 'reconcile':
      await app.selling.reconcile();
      return tell({ kind: 'reconciled' });
    case 'rebuild': {
      dies = request.dies;
      const { written, differenceUsd } = await app.selling.rebuild();
      const due: string[] = [];
      await app.selling.ledgerReports.answer(
        { about: 'refunds' },
        (rows) => void due.push(...rows.slice(1).flatMap((row) => row.slice(-1))),
      );
      return tell({ kind: 'rebuilt', written, differenceUsd, due });
    }
    case 'audit':
      return tell(await audit(app));
    case 'stop':
      await app.stop();
      return process.exit(0);
    case 'prepared':
  }
}

async function advance(seconds: number): Promise<void> {
  skewMs += seconds * 1000;
  passedMs += seconds * 1000;
  await app.database.knex.raw("update payments set lease_until = lease_until - ? * interval '1 second'", [seconds]);
  await app.selling.heartbeat.beat();
}

async function audit({ database: { knex } }: App): Promise<CrashReport> {
  const rows = (await knex('payments').select('nonce', 'state', 'amount', 'settle_transaction', 'rebuilt_at')) as {
    nonce: Uint8Array;
    state: string;
    amount: string;
    settle_transaction: Uint8Array | null;
    rebuilt_at: Date | null;
  }[];
  const sales = await readSales(knex, new Date(0));
  const leadIds = new Map(sales.map(({ nonce, leadId }) => [nonce, leadId ?? undefined]));
  const payments = rows.map(
    ({ nonce, state, amount, settle_transaction: transaction, rebuilt_at: rebuiltAt }): AuditedPayment => ({
      nonce: toHex(nonce),
      state,
      amount,
      transaction: transaction === null ? undefined : toHex(transaction),
      leadId: leadIds.get(toHex(nonce)),
      isRebuilt: rebuiltAt !== null,
    }),
  );
  const listings = await knex('listings').count<{ count: string }[]>();
  return { kind: 'audit', payments, listings: Number(listings[0]?.count), faultsOfHolds: findFaults(sales) };
}

const app = await createApp(
  readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...orders.environment }, { onTerminal: true }),
  {
    now: () => new Date(Date.now() + skewMs),
    elapsedMs: () => performance.now() + passedMs,
    ...(orders.isPlainNode === true ? { localBlockMs: 200 } : {}),
    ...points.overrides,
  },
);
points.attach(app);
// The controlling process is gone.
process.on('disconnect', () => process.exit(1));
process.on('message', (request: CrashRequest) => void answer(app, request));
const rebuilds = ({ sql }: { readonly sql: string }): boolean => /^\s*INSERT INTO payments .*rebuilt_at\)/s.test(sql);
app.database.knex.on('query', (query: { readonly sql: string }) => {
  if (++statements > (orders.dieAfterStatements ?? Infinity) || (dies === 'before' && rebuilds(query))) die();
});
app.database.knex.on('query-response', (_rows, query: { readonly sql: string }) => {
  if (dies === 'after' && rebuilds(query)) die();
});
tell({ kind: 'started', url: app.url, rpcUrl: app.selling.localRpcUrl ?? '' });
if (orders.hasOneDeal === true) {
  dropListings(app.config.dropDirectory);
  await app.pipeline.ingest(undefined, { source: 'brokers' });
  await app.pipeline.publish('all');
} else if (orders.isIdle !== true) {
  const clock = await startJobs(app);
  await clock.tick();
}
tell({ kind: 'worked', statements });
