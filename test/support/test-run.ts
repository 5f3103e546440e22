import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const watcher = fileURLToPath(new URL('end-orphans.js', import.meta.url));

/** Marks all processes of this test run by their environment, so that none of them outlives it, even if it is killed. */
export function mochaGlobalSetup(): void {
  if (!existsSync('/proc/self/environ')) return;
  const run = randomUUID();
  const child = spawn(process.execPath, [watcher, run], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  // The pipe itself must not keep the run alive.
  (child.stdin as unknown as { unref(): void }).unref();
  process.env['TEST_RUN'] = run;
}
