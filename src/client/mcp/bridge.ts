import { Server, type CallToolResult, type ListToolsResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PurchaseError } from '../payments/purchase-error.js';
import { formatUsd } from '../payments/usd.js';
import { payForCall, type CallPatience, type Wallet } from './pay-for-call.js';
import type { ToolLink } from './tool-link.js';

const greeting = z.looseObject({
  serverInfo: z.looseObject({ name: z.string(), version: z.string() }),
  instructions: z.string().optional(),
});

/**
 * Creates a server that offers the tools of another server and pays for their calls.
 * @throws PurchaseError when the other server does not answer.
 */
export async function createBridge(link: ToolLink, wallet: Wallet, patience: CallPatience): Promise<Server> {
  const clientInfo = { name: 'deals-feed-bridge', version: '1.0.0' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { serverInfo, instructions = '' } = greeting.parse(await link.ask('initialize', hello));
  const { budget, maxPriceAtomic } = wallet;
  const limits =
    `The bridge pays for priced tools, up to ${formatUsd(maxPriceAtomic)} a call and ` +
    `${formatUsd(budget.left())} in all: call them without payment.`;
  const server = new Server(
    { ...serverInfo },
    { capabilities: { tools: {} }, instructions: `${limits}\n${instructions}` },
  );
  // Results are passed on unchanged; the MCP client validates them.
  server.setRequestHandler('tools/list', async () => (await link.ask('tools/list')) as ListToolsResult);
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given } }, { mcpReq }) => {
    const own = Object.fromEntries(Object.entries(mcpReq._meta ?? {}).filter(([key]) => key.startsWith('x402/')));
    const params = { name, arguments: given ?? {}, _meta: own };
    return payForCall(link, params, wallet, patience).catch(tell) as Promise<CallToolResult>;
  });
  return server;
}

/** The reason why a call was not made or paid, as a result that a model can read. */
function tell(error: unknown): CallToolResult {
  if (!(error instanceof PurchaseError)) throw error;
  const { payment = 'none' } = error.context;
  const structuredContent = { reason: error.reason, detail: error.message, payment, errors: [] };
  return { isError: true, structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}
