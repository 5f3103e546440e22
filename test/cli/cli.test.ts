import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { lockDirectory } from '../../src/db/directory-lock.js';
import { serveDoor } from '../../src/door/serve-door.js';
import { findProjectFile } from '../../src/project-file.js';
import { createScriptedDesk } from '../door/scripted-desk.js';

const run = promisify(execFile);

describe('npm run cli', function () {
  // A process for each verb.
  this.timeout(180_000);

  it('goes through the server that holds the data directory, and never opens the database beside it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cli-'));
    const lock = await lockDirectory(directory);
    const served = serveDoor(lock.door, createScriptedDesk(), pino({ level: 'silent' }));
    try {
      const cli = (...words: string[]) =>
        run(process.execPath, ['--import', 'tsx', findProjectFile('src/cli.ts'), ...words], {
          cwd: findProjectFile('.'),
          env: { PATH: process.env.PATH, DATA_DIR: directory, DATABASE_URL: '' },
        });
      const { stdout } = await cli('run', 'listings');
      assert.match(stdout, /^listings done in \d+\.\d s: rows 250\n$/);
      const report = await cli('ledger', 'report');
      assert.match(report.stdout, /^DAY {11}USD\n2026-03-07 {3}0\.05\n/);
      assert.match((await cli('ledger', 'export')).stdout, /^day,usd\r\n/);
      assert.match((await cli('ledger', 'show', `0x${'ab'.repeat(20)}`)).stdout, /^day {2}2026-03-07\n/);
      assert.match((await cli('ledger', 'refunds')).stdout, /The ledger equals the chain\.\n$/);
      const refund = cli('ledger', 'refund', `0x${'ab'.repeat(32)}`, '--transaction', `0x${'cd'.repeat(32)}`);
      await assert.rejects(refund, { code: 1, stdout: '', stderr: 'Nothing is due.\n' });
      for (const job of ['audit', 'reconcile'])
        await assert.rejects(cli('ledger', job), { code: 1, stderr: `There is no job ${job}.\n` });
      await assert.rejects(cli('run', 'nothing'), { code: 1, stdout: '', stderr: 'There is no job nothing.\n' });
      assert.deepEqual(await readdir(directory), ['lock']);
    } finally {
      await served.close();
      await lock.release();
      await rm(directory, { recursive: true });
    }
  });
});
