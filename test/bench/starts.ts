import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findProjectFile } from '../../src/project-file.js';
import { median } from './median.js';
import { atMost, type Report } from './report.js';

const starts = 5;
const goalMs = 2_000;

/** Measures how long a process of the demonstration takes from its start to its port, with its data in a database. */
export async function measureStarts(report: Report): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'starts-'));
  try {
    await start(directory, 'auctions');
    const times: number[] = [];
    for (let index = 0; index < starts; index++) times.push(await start(directory));
    report.title('start on stored data');
    report.figure({ name: 'start: until it listens', value: median(times), unit: 'ms', goal: atMost(goalMs) });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts it, waits until it listens, or until it has also run a job for the first time, and stops it. */
async function start(directory: string, job?: string): Promise<number> {
  const { TEST_RUN, PATH } = process.env;
  const settings = { DEMONSTRATION: 'true', PORT: '0', OPERATOR_PORT: '0', DRAIN_SECONDS: '0', LOG_FORMAT: 'json' };
  const env = { TEST_RUN, PATH, DATA_DIR: directory, ANVIL_BIN: '/nowhere/anvil', ...settings };
  const startedAt = performance.now();
  const server = spawn(process.execPath, [findProjectFile('dist/bin/main.js')], {
    ...{ cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'] },
  });
  const ended = once(server, 'close');
  let ms = NaN;
  for await (const line of createInterface(server.stderr)) {
    const told = JSON.parse(line) as { readonly msg: string; readonly job?: string };
    if (told.msg === 'started') ms = performance.now() - startedAt;
    if (job === undefined ? told.msg === 'started' : told.job === job && told.msg === 'job succeeded') break;
  }
  server.stderr.resume();
  server.kill('SIGTERM');
  await ended;
  return ms;
}
