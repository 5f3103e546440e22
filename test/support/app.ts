import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp, type App, type AppOverrides } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import type { Database } from '../../src/db/database.js';
import { readSomeCountyRecords } from './county-records.js';
import { openTestDatabase } from './database.js';

/** The real service on a free port, with a database, a local chain and a data directory of its own. */
export interface TestApp extends App {
  readonly directory: string;
}

export interface TestAppOptions extends AppOverrides {
  /** Fill the feed with the demonstration's data. Default true. */
  readonly withData?: boolean;
  /** Environment variables beside those the test needs. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Several apps of a test may be instances on one database. */
const shared = { SERVER_SECRET: 'the-secret-of-all-instances-in-tests' };

/** All that a test asks comes from one address and one payer. */
const unlimited = {
  UNPAID_CALLS_PER_MINUTE: '999999999',
  UNBILLED_CALLS_PER_MINUTE: '999999999',
  PAID_CALLS_PER_PAYER: '1000',
};

/** Starts the service as `main` would, without its clock; the feed is filled through the same steps that the jobs run. */
export async function startTestApp({
  withData = true,
  environment = {},
  ...overrides
}: TestAppOptions = {}): Promise<TestApp> {
  const directory = mkdtempSync(join(tmpdir(), 'deals-feed-'));
  const own: Database | undefined = overrides.database ? undefined : await openTestDatabase();
  async function leaveNothing(): Promise<void> {
    await own?.close();
    rmSync(directory, { recursive: true, force: true });
  }
  try {
    const config = {
      ...readConfig({ DATA_DIR: directory, ...shared, ...unlimited, ...environment }, { onTerminal: true }),
      port: 0,
    };
    const app = await createApp(config, {
      log: pino({ level: 'silent' }),
      ...(own ? { database: own } : {}),
      ...overrides,
    });
    if (withData) await fillFeed(app);
    const stop = async (): Promise<void> => {
      await app.stop();
      await leaveNothing();
    };
    return { ...app, directory, stop };
  } catch (error) {
    await leaveNothing();
    throw error;
  }
}

/** Source to feed, as the daily job does it; with a few county records of the tests' own instead of whole counties. */
export async function fillFeed(app: App): Promise<void> {
  await app.deliver(app.now());
  await app.work.ingest(undefined, { delivers: ['listings'] });
  await readSomeCountyRecords(app);
  await app.work.publish('all');
}
