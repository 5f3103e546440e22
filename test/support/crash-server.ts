import { startJobs } from '../../jobs/start-jobs.js';
import { createApp, type App, type AppOverrides } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import type { CrashOrders, CrashReport, CrashRequest, CrashStep } from './crash-messages.js';

// The real service as a process of its own that kills itself at a named step, as a power failure would: nothing is
// flushed, nobody is told. Started by `startCrashServer`, which says over the channel what to do.

const orders = JSON.parse(process.argv[2] ?? '{}') as CrashOrders;
let crashAt: CrashStep | undefined;
let statements = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('SIGKILL is not survived');
}

/** Does a step, and dies right before it or right after it when told so. */
async function pass<T>(step: 'claim' | 'settle' | 'finish' | 'note', work: () => Promise<T>): Promise<T> {
  if (crashAt === `before ${step}`) die();
  const result = await work();
  if (crashAt === `after ${step}`) die();
  return result;
}

const overrides: AppOverrides = {
  now: () => new Date(Date.now() + orders.skewSeconds * 1000),
  ledger: (ledger) => ({
    ...ledger,
    claim: (...values) => pass('claim', () => ledger.claim(...values)),
    finish: (...values) => pass('finish', () => ledger.finish(...values)),
    recordDeliveries: (...values) => pass('note', () => ledger.recordDeliveries(...values)),
  }),
  settler: (settler) => ({ ...settler, settle: (...values) => pass('settle', () => settler.settle(...values)) }),
};

function tell(report: CrashReport): void {
  process.send?.(report);
}

async function answer(app: App, request: CrashRequest): Promise<void> {
  if (request.kind === 'arm') {
    crashAt = request.step;
    return tell({ kind: 'armed' });
  }
  if (request.kind === 'audit') {
    const [row] = await app.database
      .knex('payments')
      .where({ state: 'settled' })
      .sum<{ sum: string | null }[]>('amount');
    const listings = await app.database.knex('listings').count<{ count: string }[]>();
    return tell({ kind: 'audit', settled: row?.sum ?? '0', listings: Number(listings[0]?.count) });
  }
  await app.stop();
  process.exit(0);
}

const app = await createApp(
  readConfig({
    DATA_DIR: orders.directory,
    DATABASE_URL: orders.databaseUrl,
    PORT: '0',
    // The address that payments name must outlive the process.
    PUBLIC_BASE_URL: 'http://127.0.0.1:4021',
    LOG_LEVEL: 'silent',
  }),
  overrides,
);
process.on('message', (request: CrashRequest) => void answer(app, request));
app.database.knex.on('query', () => {
  if (++statements > (orders.dieAfterStatements ?? Infinity)) die();
});
tell({ kind: 'started', url: app.url, rpcUrl: app.selling.localRpcUrl ?? '' });
const clock = await startJobs(app);
await clock.tick();
tell({ kind: 'worked', statements });
