import { parseArgs } from 'node:util';
import type { Server } from '@modelcontextprotocol/server';
import { defaultMaxPriceAtomic } from '../assert-affordable.js';
import { choosePayer, isPrivateKey } from '../choose-payer.js';
import { UsageError } from '../parse-arguments.js';
import { parseUsd } from '../usd.js';
import { createBridge } from './bridge.js';
import { createBudget } from './budget.js';
import { createToolLink } from './tool-link.js';

/** What the bridge's process is told, and how it waits. */
export interface BridgeSurroundings {
  readonly baseUrl: string;
  readonly privateKey: string | undefined;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => Date;
  readonly randomBytes: (length: number) => Uint8Array;
}

export const bridgeHelp = `Serves the tools of the deals feed over stdio, and pays for them with x402.

  npm run --silent mcp -- --budget 2.00

Arguments
  --budget <usd>  The most to spend while this runs. Default 1.00.
  --max <usd>     The highest price of one call. Default 0.10; a report is 1.50.
  --help          This text.

Environment
  BASE_URL        The server. Default http://127.0.0.1:4021.
  PRIVATE_KEY     Key of the account that pays: 0x and 64 hexadecimal digits. Default, on the local demonstration
                  chain only: the public key of the demonstration's buyer. It is worth nothing anywhere else.
`;

const defaultBudgetAtomic = 1_000_000n;
const maxAttempts = 6;

/** Reads the command line; gives what makes a server for a connection, or the help. @throws UsageError */
export function prepareBridge(
  args: readonly string[],
  surroundings: BridgeSurroundings,
): (() => Promise<Server>) | 'help' {
  const { help, budget, max } = readArguments(args);
  if (help) return 'help';
  const { baseUrl, privateKey, sleep, now, randomBytes } = surroundings;
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(`BASE_URL must be an http or https address, not "${baseUrl}".`);
  const key = privateKey === '' ? undefined : privateKey;
  // Never repeated: it may be a secret.
  if (key !== undefined && !isPrivateKey(key))
    throw new UsageError('PRIVATE_KEY must be 0x and 64 hexadecimal digits.');
  const wallet = {
    payerOf: (offer: Parameters<typeof choosePayer>[0]) => choosePayer(offer, key),
    maxPriceAtomic: readUsd('--max', max) ?? defaultMaxPriceAtomic,
    budget: createBudget(readUsd('--budget', budget) ?? defaultBudgetAtomic),
    now,
    randomBytes,
  };
  const link = createToolLink(baseUrl.replace(/\/+$/, ''));
  return () => createBridge(link, wallet, { maxAttempts, sleep });
}

function readArguments(args: readonly string[]) {
  const options = {
    help: { type: 'boolean', default: false, short: 'h' },
    budget: { type: 'string' },
    max: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments cannot be read.');
  }
}

function readUsd(name: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const amount = parseUsd(text);
  if (amount === undefined) throw new UsageError(`${name} takes dollars, such as 0.50, not "${text}".`);
  return amount;
}
