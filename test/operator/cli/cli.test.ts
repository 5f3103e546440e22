import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { lockDirectory } from '../../../src/db/directory-lock.js';
import { serveControlSocket } from '../../../src/operator/socket/serve-control-socket.js';
import { createScriptedCommands } from '../socket/scripted-commands.js';
import { invocation } from './invocation.js';

const run = promisify(execFile);

/**
 * Runs the command for a reader that takes what comes first and leaves, or takes nothing. What the command then says.
 */
async function runForHead(directory: string, words: readonly string[], takes: boolean) {
  const child = spawn(...invocation(directory, words));
  const complaint = child.stderr.toArray();
  if (takes) await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, complaint: Buffer.concat(await complaint).toString() };
}

describe('npm run cli', function () {
  // A process for each way in which a verb answers; run-verb.test.ts has all verbs.

  it('goes through the server that holds the data directory, and never opens the database beside it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cli-'));
    const lock = await lockDirectory(directory);
    const served = serveControlSocket(lock.controlSocket, createScriptedCommands(), pino({ level: 'silent' }));
    try {
      const cli = (...words: string[]) => run(...invocation(directory, words));
      const { stdout } = await cli('run', 'listings');
      assert.match(stdout, /^listings done in \d+\.\d s: rows 250\n$/);
      assert.match((await cli('ledger', 'export')).stdout, /^day,usd\r\n/);
      const refund = cli('ledger', 'refund', `0x${'ab'.repeat(32)}`, '--transaction', `0x${'cd'.repeat(32)}`);
      await assert.rejects(refund, { code: 1, stdout: '', stderr: 'Nothing is due.\n' });
      assert.deepEqual(await readdir(directory), ['lock']);
    } finally {
      await served.close();
      await lock.release();
      await rm(directory, { recursive: true });
    }
  });

  it('ends quietly when its reader has seen enough, such as head, and reads no further', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cli-'));
    const lock = await lockDirectory(directory);
    const scripted = createScriptedCommands();
    const served = serveControlSocket(
      lock.controlSocket,
      {
        ...scripted,
        async askLedger(question, onRows) {
          const rows = Array.from({ length: 1_000 }, (_, row) => [`${row}`, '0.05']);
          while (question.about === 'export' || question.about === 'receipts') await onRows(rows);
          return scripted.askLedger(question, onRows);
        },
      },
      pino({ level: 'silent' }),
    );
    try {
      const quiet = { code: 0, complaint: '' };
      assert.deepEqual(await runForHead(directory, ['ledger', 'export'], true), quiet);
      assert.deepEqual(await runForHead(directory, ['ledger', 'receipts', `0x${'ab'.repeat(20)}`], true), quiet);
      for (const words of [['help'], ['run', 'listings']])
        assert.deepEqual(await runForHead(directory, words, false), quiet, words.join(' '));
      const failed = { code: 1, complaint: 'There is no job nothing.\n' };
      assert.deepEqual(await runForHead(directory, ['run', 'nothing'], false), failed);
    } finally {
      // Resolves only once nothing is read for anybody any more.
      await served.close();
      await lock.release();
      await rm(directory, { recursive: true });
    }
  });
});
