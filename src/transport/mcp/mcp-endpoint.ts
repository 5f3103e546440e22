import {
  createMcpHandler,
  hostHeaderValidationResponse,
  originValidationResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type { Contract, ContractDocument } from '../../contract/contract.js';
import type { Log } from '../../log.js';
import { createCallTool, type Caller, type CallPorts, type ToolCall } from './call-tool.js';
import { createTools } from './create-tools.js';
import { createResources, type Resources } from './resources.js';
import { paymentKey } from './payment-meta.js';
import { createSummaries } from './summaries.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { McpTool } from './tool.js';

/** MCP over streamable HTTP. Stateless, so that any instance can answer any request. */
export interface McpEndpoint {
  /** The operation that a message calls, and whether it carries a payment; undefined when it calls none. */
  findCall(message: unknown): { readonly operationId: string; readonly isPaid: boolean } | undefined;
  /** Answers one message. `message`: the parsed body; undefined when it is not JSON. */
  answer(request: Request, message: unknown, caller: Caller): Promise<Response>;
}

export interface McpEndpointPorts extends Omit<CallPorts, 'summaries'> {
  readonly contract: Contract;
  readonly publicBaseUrl: string;
  readonly log: Log;
}

/**
 * Creates the endpoint. The Host check refuses pages that use DNS rebinding. A public service allows pages of any
 * origin, as over HTTP, because browsers add no credentials here. A local service allows only local pages.
 */
export function createMcpEndpoint(ports: McpEndpointPorts): McpEndpoint {
  const { contract, log } = ports;
  const { document } = contract;
  const tools = createTools(contract);
  const callTool = createCallTool({ ...ports, summaries: createSummaries(document) });
  const resources = createResources(contract, ports.operations);
  const instructions = instructionsOf(ports.publicBaseUrl);
  const { hostname } = new URL(ports.publicBaseUrl);
  const hostnames = [hostname, ...loopback];

  const refuse = (request: Request) =>
    hostHeaderValidationResponse(request, hostnames) ??
    (loopback.includes(hostname) ? originValidationResponse(request, loopback) : undefined);

  return {
    findCall(message) {
      const { method, params } = (message ?? {}) as PossibleCall;
      const name = method === 'tools/call' ? params?.name : undefined;
      const tool = typeof name === 'string' ? tools.get(name) : undefined;
      if (tool === undefined) return undefined;
      const { operationId, priceUsd } = tool.operation;
      return { operationId, isPaid: priceUsd !== undefined && params?._meta?.[paymentKey] !== undefined };
    },
    async answer(request, message, caller) {
      const refusal = refuse(request);
      if (refusal !== undefined) return refusal;
      const handler = createMcpHandler(
        () =>
          createMcpServer({
            document,
            tools,
            instructions,
            call: (call) => callTool(call, caller),
            resources,
            read: (uri) => resources.read(uri, caller),
          }),
        {
          // No tool changes at run time, and an open stream would delay the server's stop.
          maxSubscriptions: 0,
          onerror: (error) => log.debug({ err: error, requestId: caller.requestId }, 'mcp'),
        },
      );
      return handler.fetch(request, message === undefined ? {} : { parsedBody: message });
    },
  };
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** A message before validation. */
interface PossibleCall {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
}

export interface McpServerPorts {
  readonly document: ContractDocument;
  readonly tools: ReadonlyMap<string, McpTool>;
  readonly instructions: string;
  readonly call: (call: ToolCall) => Promise<CallToolResult>;
  readonly resources: Pick<Resources, 'list' | 'template'>;
  readonly read: (uri: string) => Promise<ReadResourceResult | undefined>;
}

/** Shared by all servers. Each requires one for answers, which this server never requests. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Creates a protocol server for one request or connection. @throws ProtocolError for an unknown tool or resource. */
export function createMcpServer({ document, tools, instructions, call, resources, read }: McpServerPorts): Server {
  const { title, version, summary } = document.info;
  const server = new Server(
    { name: title.toLowerCase().replaceAll(' ', '-'), title, version, description: String(summary) },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map(({ definition }) => definition) }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 80)}.`);
    return call({ tool, given: params.arguments ?? {}, payment: mcpReq._meta?.[paymentKey] });
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...resources.list] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [{ ...resources.template }] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = await read(uri);
    if (found !== undefined) return found;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri.slice(0, 80)} now.`);
  });
  return server;
}

/** The instructions for a model before its first call. A bridge replaces the paragraph on paying. */
function instructionsOf(publicBaseUrl: string): string {
  return [
    'Data on small US multifamily properties. Free first: `meta` (what is sold), `count` (how much matches), `coverage` (which counties are read).',
    'Paying: a priced tool called without payment answers with its offer (x402, USDC). Sign one of `accepts` and call again with the same arguments and the payment in _meta["x402/payment"]. Where an error says retry_same_payment, send the same payment again; never sign twice for one call.',
    'Only results are billed, once: mistakes and empty results cost nothing. Filters are combined with AND, bounds are inclusive, several values have commas (OH,IN), a record without the value never matches. USD; percent for rates, cuts, gaps; miles; YYYY-MM-DD.',
    'Lists are `columns` and `rows`, 25 of what was bought (up to 50 with `limit`); `absent` says by row why a cell is null. The rest is free: `payment_reply` with payment_id and token of `receipt`, and what `next_page` has, or as `part` a pointer into the reply (/3, of signals /signals/3). ' +
      `All of it: ${publicBaseUrl}/api/payments/{payment_id}/response?token={token}`,
  ].join('\n\n');
}
