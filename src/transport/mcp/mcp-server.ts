import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { ContractDocument } from '../../contract/contract.js';
import { paymentKey } from './payment-meta.js';
import type { ToolCall } from './call-tool.js';
import type { McpTool } from './tool.js';

export interface McpServerPorts {
  readonly document: ContractDocument;
  readonly tools: ReadonlyMap<string, McpTool>;
  readonly call: (call: ToolCall) => Promise<CallToolResult>;
}

/** Shared by all servers. Each requires one for answers, which this server never requests. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Creates a protocol server for one request or connection. @throws ProtocolError for an unknown tool. */
export function createMcpServer({ document, tools, call }: McpServerPorts): Server {
  const { title, version, summary } = document.info;
  const server = new Server(
    { name: title.toLowerCase().replaceAll(' ', '-'), title, version, description: String(summary) },
    { capabilities: { tools: {} }, instructions: instructionsOf(tools), jsonSchemaValidator },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map(({ definition }) => definition) }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 80)}.`);
    return call({ tool, given: params.arguments ?? {}, payment: mcpReq._meta?.[paymentKey] });
  });
  return server;
}

/** The instructions for a model before its first call. */
function instructionsOf(tools: ReadonlyMap<string, McpTool>): string {
  const priced = [...tools.values()].flatMap(({ name, operation: { priceUsd } }) =>
    priceUsd === undefined ? [] : [`${name} $${priceUsd}`],
  );
  return [
    'Deal-level data on small US multifamily properties, sold per call in USDC with x402.',
    'Start with `meta` (free): coverage, freshness, filters and samples. `changes` (free) tells whether buying again is worth it.',
    `Prices per call: ${priced.join(', ')}. All other tools are free.`,
    'Call a priced tool without payment first: the refusal is the offer, and names every faulty argument. Only results are',
    'billed, each once; nothing that matches is an error, unbilled. Where an error says retry_same_payment, send the very',
    'same payment again and never sign twice for one call.',
    'A result shows what fits: `rest` says how to read what is left out, and `next_page` how to go on, both free.',
    'A null has its reason in the `absent` of its record.',
  ].join('\n');
}
