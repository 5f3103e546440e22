import { once } from 'node:events';
import { startJobs } from '../../jobs/start-jobs.js';
import { createApp, type App } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { toHex } from '../../src/payments/ledger/payment-row.js';
import { findFaults, readSales } from '../payments/exclusive-sales/audit-holds.js';
import type { AuditedPayment, CrashOrders, CrashReport, CrashRequest } from './crash-messages.js';
import { createCrashPoints } from './crash-points.js';

// The real service as a separate process that kills itself at a named step like a power failure, without flushing or
// notification. `startCrashServer` starts it and controls it over the channel.

const orders = JSON.parse(process.argv[2] ?? '{}') as CrashOrders;
let skewMs = orders.skewSeconds * 1000;
let statements = 0;

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
  giveUp: () => (skewMs += 31_000),
});

async function answer(app: App, request: CrashRequest): Promise<void> {
  switch (request.kind) {
    case 'arm':
      points.arm(request);
      return tell({ kind: 'armed' });
    case 'advance':
      skewMs += request.seconds * 1000;
      return tell({ kind: 'advanced' });
    case 'reconcile':
      await app.selling.reconcile();
      return tell({ kind: 'reconciled' });
    case 'audit':
      return tell(await audit(app));
    case 'stop':
      await app.stop();
      return process.exit(0);
    case 'prepared':
  }
}

async function audit({ database: { knex } }: App): Promise<CrashReport> {
  const rows = (await knex('payments').select('nonce', 'state', 'amount', 'settle_transaction')) as {
    nonce: Uint8Array;
    state: string;
    amount: string;
    settle_transaction: Uint8Array | null;
  }[];
  const sales = await readSales(knex, new Date(0));
  const leadIds = new Map(sales.map(({ nonce, leadId }) => [nonce, leadId ?? undefined]));
  const payments = rows.map(({ nonce, state, amount, settle_transaction: transaction }): AuditedPayment => ({
    nonce: toHex(nonce),
    state,
    amount,
    transaction: transaction === null ? undefined : toHex(transaction),
    leadId: leadIds.get(toHex(nonce)),
  }));
  const listings = await knex('listings').count<{ count: string }[]>();
  return { kind: 'audit', payments, listings: Number(listings[0]?.count), faultsOfHolds: findFaults(sales) };
}

const app = await createApp(
  readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...orders.environment }, { onTerminal: true }),
  {
    now: () => new Date(Date.now() + skewMs),
    ...(orders.isPlainNode === true ? { localBlockMs: 200 } : {}),
    ...points.overrides,
  },
);
points.attach(app);
// The controlling process is gone.
process.on('disconnect', () => process.exit(1));
process.on('message', (request: CrashRequest) => void answer(app, request));
app.database.knex.on('query', () => {
  if (++statements > (orders.dieAfterStatements ?? Infinity)) die();
});
tell({ kind: 'started', url: app.url, rpcUrl: app.selling.localRpcUrl ?? '' });
if (orders.isIdle !== true) {
  const clock = await startJobs(app);
  await clock.tick();
}
tell({ kind: 'worked', statements });
