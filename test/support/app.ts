import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp, type App, type AppOverrides } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import type { Database } from '../../src/db/database.js';
import { readSomeCountyRecords } from './county-records.js';
import { openTestDatabase } from './database.js';
import { readFilledFeed, writeFilledFeed, type FilledFeed } from './filled-feed.js';

/** The real service on a free port, with its own database, local chain and data directory. */
export interface TestApp extends App {
  readonly directory: string;
}

export interface TestAppOptions extends AppOverrides {
  /** Fills the feed with the demonstration's data. Default true. */
  readonly withData?: boolean;
  /** Poses as the only instance, also on PostgreSQL: no timer looks for what another one has published. */
  readonly isOnly?: boolean;
  /** Environment variables in addition to those that the test needs. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A shared database makes several apps instances of one service. */
const shared = { SERVER_SECRET: 'the-secret-of-all-instances-in-tests' };

/** All requests of a test have one address and one payer, so limits are raised. */
const unlimited = {
  UNPAID_CALLS_PER_MINUTE: '999999999',
  COUNTS_PER_MINUTE: '999999999',
  UNBILLED_CALLS_PER_MINUTE: '999999999',
  PAID_CALLS_PER_PAYER: '1000',
};

/** Starts the service like `main`, without its clock. The feed is filled by the same steps as the jobs. */
export async function startTestApp({
  withData = true,
  isOnly = false,
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
      ...(own && { database: isOnly ? { ...own, kind: 'embedded' } : own }),
      ...overrides,
    });
    if (withData && environment['SERVER_SECRET'] === undefined) await fillAsBefore(app);
    else if (withData) await fillFeed(app);
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

/** The feeds that were filled in this process, for later tests that start at about the same time. */
const filled: FilledFeed[] = [];
/** Older ones are read again, because tests depend on the age of data. */
export const longestMs = 15 * 60_000;

/**
 * Fills the feed of an app with the secret of all tests. Where nothing is read yet, the rows of an earlier filling are
 * written, which takes a tenth of the time; then the service learns of them as of another instance's publication.
 */
export async function fillAsBefore(app: App): Promise<void> {
  const isRead = (await app.database.knex('source_runs').first('id')) !== undefined;
  if (isRead) return fillFeed(app);
  const at = app.now();
  const ageMs = (feed: FilledFeed): number => at.getTime() - feed.at.getTime();
  const before = filled.find((feed) => ageMs(feed) >= 0 && ageMs(feed) < longestMs);
  if (before === undefined) {
    await fillFeed(app);
    filled.push(await readFilledFeed(app.database.knex, at));
  } else {
    await app.deliver(at);
    await writeFilledFeed(app.database.knex, before);
    await app.pipeline.refresh();
  }
}

/** Source to feed, like the daily job; with a few county records of the tests instead of whole counties. */
export async function fillFeed(app: App): Promise<void> {
  await app.deliver(app.now());
  await app.pipeline.ingest(undefined, { delivers: ['listings'] });
  await readSomeCountyRecords(app);
  await app.pipeline.publish('all');
}
