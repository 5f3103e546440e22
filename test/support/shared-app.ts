import { rmSync } from 'node:fs';
import { longestMs, startTestApp, type TestApp } from './app.js';
import { atEnd } from './at-end.js';

/** One app for several test files. No test stops it. */
export type SharedApp = Omit<TestApp, 'stop' | 'pipeline'>;

let shared: Promise<TestApp> | undefined;
let startedAt = 0;

/**
 * The app of this process with the demonstration's data, for tests that read and buy, and change nothing else. It takes
 * as long to start as a test file takes to run.
 */
export async function shareApp(): Promise<SharedApp> {
  if (Date.now() - startedAt > longestMs) await endSharedApp();
  if (shared === undefined) {
    startedAt = Date.now();
    shared = startTestApp();
    const app = await shared;
    // A worker of a parallel run is ended without a word.
    process.once('exit', () => rmSync(app.directory, { recursive: true, force: true }));
  }
  return shared;
}

/** Ends it, for a test that measures what this process does. The next test that shares one gets another. */
export async function endSharedApp(): Promise<void> {
  await (await shared)?.stop();
  shared = undefined;
}

atEnd.push(endSharedApp);
