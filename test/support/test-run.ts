import { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { findProjectFile } from '../../src/project-file.js';
import { atEnd } from './at-end.js';

const watcher = findProjectFile('test/support/end-orphans.js');

/**
 * Builds the tested code, and marks all processes of this test run by their environment, so that none outlives it, even
 * if it is killed.
 */
export function mochaGlobalSetup(): void {
  const built = spawnSync(process.execPath, [findProjectFile('test/support/build-tests.js')], { stdio: 'inherit' });
  if (built.status !== 0) throw new Error('The tests do not compile.');
  if (!existsSync('/proc/self/environ')) return;
  // A run that a test of another one starts ends with that one too.
  const { TEST_RUN: outer } = process.env;
  const run = outer === undefined ? randomUUID() : `${outer}/${randomUUID()}`;
  const args = [watcher, run, String(process.pid)];
  // Without its own mark, it does not kill itself.
  const env = { ...process.env, TEST_RUN: '' };
  const child = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env });
  child.unref();
  // The pipe itself must not keep the run alive.
  (child.stdin as unknown as { unref(): void }).unref();
  process.env['TEST_RUN'] = run;
}

/** Ends what the tests of this process have shared. Where workers run them, it ends with its worker. */
export async function mochaGlobalTeardown(): Promise<void> {
  for (const end of atEnd) await end();
}

/** What Node starts a process with. */
interface SpawnOptions {
  readonly envPairs?: string[];
}

// A test that chooses the environment of a process need not think of the mark.
const prototype = ChildProcess.prototype as unknown as { spawn(options: SpawnOptions): number };
const { spawn: start } = prototype;
prototype.spawn = function (options) {
  const { TEST_RUN: run } = process.env;
  const { envPairs } = options;
  if (run !== undefined && envPairs?.every((pair) => !pair.startsWith('TEST_RUN=')) === true)
    envPairs.push(`TEST_RUN=${run}`);
  return start.call(this, options);
};
