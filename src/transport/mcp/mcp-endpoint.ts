import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server';
import type { Contract } from '../../contract/contract.js';
import type { Log } from '../../log.js';
import { createCallTool, type Caller, type CallPorts } from './call-tool.js';
import { createTools } from './create-tools.js';
import { createMcpServer } from './mcp-server.js';
import { paymentKey } from './payment-meta.js';
import { createSummaries } from './summaries.js';

/** MCP over streamable HTTP. Stateless, so that any instance can answer any request. */
export interface McpEndpoint {
  /** The operation that a message calls, and whether it carries a payment; undefined when it calls none. */
  findCall(message: unknown): { readonly operationId: string; readonly isPaid: boolean } | undefined;
  /** Answers one message. `message`: the parsed body; undefined when it is not JSON. */
  answer(request: Request, message: unknown, caller: Caller): Promise<Response>;
}

export interface McpEndpointPorts extends Omit<CallPorts, 'summarize'> {
  readonly contract: Contract;
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
  const callTool = createCallTool({ ...ports, summarize: createSummaries(document) });
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
        () => createMcpServer({ document, tools, call: (call) => callTool(call, caller) }),
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
