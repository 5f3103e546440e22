import { spawn, spawnSync } from 'node:child_process';
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
  const run = randomUUID();
  const child = spawn(process.execPath, [watcher, run], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  // The pipe itself must not keep the run alive.
  (child.stdin as unknown as { unref(): void }).unref();
  process.env['TEST_RUN'] = run;
}

/** Ends what the tests of this process have shared. Where workers run them, it ends with its worker. */
export async function mochaGlobalTeardown(): Promise<void> {
  for (const end of atEnd) await end();
}
