import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBuyCommand } from './buy-command.js';
import { createFileStorage } from './file-storage.js';

// The command's process: the only file of the client that reads the environment.
const { BASE_URL, PRIVATE_KEY, COLUMNS, PAYMENTS_DIR } = process.env;
const columns = Number(COLUMNS);

// A reader that has seen enough, such as head, is no fault. Without one nothing more is fetched; where only the
// notes are not read it goes on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (stream === process.stdout) process.exit();
  });
}

process.exitCode = await runBuyCommand(process.argv.slice(2), {
  baseUrl: BASE_URL || 'http://127.0.0.1:4021',
  privateKey: PRIVATE_KEY,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  width: process.stdout.columns ?? (columns > 0 ? columns : 120),
  sleep,
  storage: createFileStorage(PAYMENTS_DIR || join(homedir(), '.deals-feed', 'payments')),
  now: () => new Date(),
  random: Math.random,
  randomBytes,
});
