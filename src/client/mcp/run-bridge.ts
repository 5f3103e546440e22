import { parseArgs } from 'node:util';
import {
  Server,
  type CallToolResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListToolsResult,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { renderSection } from '../../terminal/render-section.js';
import { defaultMaxPriceAtomic } from '../payments/choose-offer.js';
import { buyerVariables, readBuyerEnvironment, type BuyerEnvironment, UsageError } from '../buyer-environment.js';
import { choosePayer } from '../payments/choose-payer.js';
import { parseUsd, formatUsd } from '../payments/usd.js';
import { createBudget } from './budget.js';
import { createToolLink, type ToolLink } from './tool-link.js';
import { z } from 'zod';
import { PurchaseError } from '../payments/purchase-error.js';
import { payForCall, type CallPatience, type Wallet } from './pay-for-call.js';

/** The inputs of the bridge's process. */
export interface BridgeSurroundings {
  readonly environment: BuyerEnvironment;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => Date;
  readonly randomBytes: (length: number) => Uint8Array;
}

/** The text of `--help`. */
export const bridgeHelp = [
  'Serves the tools of the deals feed over stdio, and pays for them with x402.\n',
  renderSection('', [['deals-feed mcp --budget 2.00']]),
  renderSection('Options', [
    ['--budget <usd>', 'The most to spend while this runs. Default 1.00.'],
    ['--max <usd>', 'The highest price of one call. Default 0.10; a report is 1.50.'],
    ['--help', 'This text.'],
  ]),
  renderSection('Environment', buyerVariables),
].join('\n');

const defaultBudgetAtomic = 1_000_000n;
const maxAttempts = 6;

/** Parses the command line. Returns a factory of one server per connection, or 'help'. @throws UsageError */
export function prepareBridge(
  args: readonly string[],
  surroundings: BridgeSurroundings,
): (() => Promise<Server>) | 'help' {
  const { help, budget, max } = readArguments(args);
  if (help) return 'help';
  const { environment, sleep, now, randomBytes } = surroundings;
  const { baseUrl, privateKey } = readBuyerEnvironment(environment);
  const wallet = {
    payerOf: (offer: Parameters<typeof choosePayer>[0]) => choosePayer(offer, privateKey),
    maxPriceAtomic: readUsd('--max', max) ?? defaultMaxPriceAtomic,
    budget: createBudget(readUsd('--budget', budget) ?? defaultBudgetAtomic, now),
    now,
    randomBytes,
  };
  const link = createToolLink(baseUrl);
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

const greeting = z.looseObject({
  serverInfo: z.looseObject({ name: z.string(), version: z.string() }),
  instructions: z.string().optional(),
});

/**
 * Creates a server that offers the tools of another server and pays for their calls.
 * @throws PurchaseError when the other server does not answer.
 */
async function createBridge(link: ToolLink, wallet: Wallet, patience: CallPatience): Promise<Server> {
  const clientInfo = { name: 'deals-feed-bridge', version: '1.0.0' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { serverInfo, instructions = '' } = greeting.parse(await link.ask('initialize', hello));
  const { budget, maxPriceAtomic } = wallet;
  const paying = `Calls are paid for you, up to ${formatUsd(maxPriceAtomic)} each and ${formatUsd(budget.left())} in all.`;
  const paragraphs = instructions.split('\n\n').filter((each) => !each.startsWith('Paying: '));
  const server = new Server(
    { ...serverInfo },
    { capabilities: { tools: {}, resources: {} }, instructions: [paying, ...paragraphs].join('\n\n') },
  );
  // Results are passed on unchanged; the MCP client validates them.
  server.setRequestHandler('tools/list', async () => (await link.ask('tools/list')) as ListToolsResult);
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given } }, { mcpReq }) => {
    const own = Object.fromEntries(Object.entries(mcpReq._meta ?? {}).filter(([key]) => key.startsWith('x402/')));
    const params = { name, arguments: given ?? {}, _meta: own };
    return payForCall(link, params, wallet, patience).catch(tell) as Promise<CallToolResult>;
  });
  const pass =
    <Result>(method: string) =>
    async ({ params }: { readonly params?: object | undefined }) =>
      (await link.ask(method, { ...params })) as Result;
  server.setRequestHandler('resources/list', pass<ListResourcesResult>('resources/list'));
  server.setRequestHandler('resources/templates/list', pass<ListResourceTemplatesResult>('resources/templates/list'));
  server.setRequestHandler('resources/read', pass<ReadResourceResult>('resources/read'));
  return server;
}

/** The reason why a call was not made or paid, as a result that a model can read. */
function tell(error: unknown): CallToolResult {
  if (!(error instanceof PurchaseError)) throw error;
  const { payment = 'none', paymentId } = error.context;
  const named = paymentId === undefined ? {} : { payment_id: paymentId };
  const structuredContent = { reason: error.reason, detail: error.message, payment, ...named, errors: [] };
  return { isError: true, structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}
