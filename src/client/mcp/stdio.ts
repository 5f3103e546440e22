#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { UsageError } from '../buyer-environment.js';
import { bridgeHelp, prepareBridge } from './run-bridge.js';

// The bridge's process. Standard output carries only the protocol.
const { BASE_URL, PRIVATE_KEY } = process.env;
try {
  const bridge = prepareBridge(process.argv.slice(2), {
    environment: { BASE_URL, PRIVATE_KEY },
    sleep,
    now: () => new Date(),
    randomBytes,
  });
  if (bridge === 'help') process.stdout.write(bridgeHelp);
  else serveStdio(bridge, { onerror: (error) => void process.stderr.write(`${error.message}\n`) });
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\nnpm run mcp -- --help says more.\n`);
  process.exitCode = 2;
}
