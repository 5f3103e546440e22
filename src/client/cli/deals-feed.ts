#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFileStorage } from '../file-storage.js';
import { confirm } from '../../terminal/confirm.js';
import { openBrowser } from '../../terminal/open-browser.js';
import { wantsColor } from '../../terminal/style.js';
import { createHomeFiles } from './home-files.js';
import { exitCodes } from './describe-error.js';
import { runCommand } from './run-command.js';

// The command's process: its only file that reads the environment.
const { BASE_URL, PRIVATE_KEY, RPC_URL, COLUMNS, PAYMENTS_DIR } = process.env;
const home = join(homedir(), '.deals-feed');
const columns = Number(COLUMNS);

// A reader that stops early, such as head, is not an error. Then no more pages are fetched, but payments are still
// recorded. An unread stderr changes nothing.
const unread = new AbortController();
process.stderr.on('error', () => undefined);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  unread.abort();
  if (error.code === 'EPIPE') return;
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.on('exit', () => (process.exitCode = exitCodes.refused));
});

const words = process.argv.slice(2);
const environment = { BASE_URL, PRIVATE_KEY, RPC_URL };

const runInTerminal = () =>
  runCommand(words, {
    environment,
    out: process.stdout,
    notes: process.stderr,
    // A terminal without a size reports 0 columns.
    width: process.stdout.columns || (columns > 0 ? columns : 120),
    isColored: wantsColor(process.stdout.isTTY, process.env),
    files: createHomeFiles(home),
    openBrowser: (address) => openBrowser(address, process.env),
    confirm:
      process.stdin.isTTY && process.stderr.isTTY
        ? (question) => confirm(question, process.stdin, process.stderr)
        : undefined,
    sleep,
    signal: unread.signal,
    storage: createFileStorage(PAYMENTS_DIR || join(home, 'payments')),
    now: () => new Date(),
    random: Math.random,
    randomBytes,
  });

/** The bridge is loaded where it is asked for: it is most of the program. */
async function serveAgent(args: readonly string[]): Promise<number | undefined> {
  const { serveBridge } = await import('../mcp/stdio.js');
  return serveBridge(args, environment);
}

const [first, second] = words;
if (first === 'mcp') process.exitCode = await serveAgent(words.slice(1));
else if (first === 'help' && second === 'mcp') process.exitCode = await serveAgent(['--help']);
else process.exitCode = await runInTerminal();
