import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type BuyerEnvironment, UsageError } from '../buyer-environment.js';
import { bridgeHelp, prepareBridge } from './run-bridge.js';

/** Serves the bridge over standard input and output, which carry only the protocol. Returns the code of a failure. */
export function serveBridge(args: readonly string[], environment: BuyerEnvironment): number | undefined {
  try {
    const bridge = prepareBridge(args, { environment, sleep, now: () => new Date(), randomBytes });
    if (bridge === 'help') process.stdout.write(bridgeHelp);
    else serveStdio(bridge, { onerror: (error) => void process.stderr.write(`${error.message}\n`) });
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\ndeals-feed mcp --help says more.\n`);
    return 2;
  }
}
