import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { findProjectFile } from '../src/project-file.js';

describe('a test run', () => {
  it('leaves no process when what has started it is killed: no worker, no chain, no program of a test', async function () {
    if (!existsSync('/proc/self/environ')) return this.skip();
    const chain = mkdtempSync(join(tmpdir(), 'killed-run-'));
    const mocha = findProjectFile('node_modules/mocha/bin/mocha.js');
    const args = [mocha, '--config', 'test/compiled.mocharc.json', 'dist/test/support/killed-run.js'];
    const run = spawn(process.execPath, args, {
      cwd: findProjectFile('.'),
      env: { ...process.env, CHAIN: chain },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      let pids: number[] = [];
      for await (const line of createInterface(run.stderr)) {
        pids = (/^started (\d+) by (\d+)$/.exec(line) ?? []).slice(1).map(Number);
        if (pids.length > 0) break;
      }
      const { pid } = JSON.parse(readFileSync(join(chain, 'process.json'), 'utf8')) as { pid: number };
      pids.push(pid);
      assert.deepEqual(pids.map(isRunning), [true, true, true]);
      run.kill('SIGKILL');
      while (pids.some(isRunning)) await delay(20);
    } finally {
      run.kill('SIGKILL');
      rmSync(chain, { recursive: true, force: true });
    }
  });
});

/** Not one that has ended, and that nobody has asked after. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
