import type { IncomingMessage } from 'node:http';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { wholeBytes } from '../../contract/rendered.js';
import { ServiceError, type Reason } from '../../errors.js';
import type { RateLimiter } from '../../limits/rate-limiter.js';
import type { AnsweredCall, OperationReply } from '../../operations/operation.js';
import { isHungUp } from './send-reply.js';
import { mcpPreflightHeaders } from './static-headers.js';

/** The path of the MCP endpoint. It is not in the contract, because its messages are posted. */
export const mcpPath = '/mcp';

/** Answers the messages of the protocol, independent of sockets. */
export interface McpEndpoint {
  /** The operation that a message calls, and whether the message carries a payment. */
  findCall(message: unknown): { readonly operationId: string; readonly isPaid: boolean } | undefined;
  answer(request: Request, message: unknown, caller: McpCaller): Promise<Response>;
}

export interface McpCaller {
  readonly requestId: string;
  readonly address: string;
  readonly isAbandoned: () => boolean;
  readonly onDelivery: (told: (completed: boolean) => void) => void;
  readonly onAnswered: (call: AnsweredCall) => void;
}

export interface McpExchange {
  readonly request: ExpressRequest;
  readonly response: ExpressResponse;
  readonly requestId: string;
  readonly address: string;
  operationId?: string;
  called?: AnsweredCall;
}

export interface McpRoutePorts {
  readonly mcp: McpEndpoint;
  readonly unpaid: RateLimiter;
  readonly problemReply: (error: ServiceError, requestId: string) => OperationReply;
}

/** A call with a payment takes a few kilobytes. */
const maxBodyBytes = 65_536;

/**
 * Creates the MCP route: one message in, one reply out, with the rate limits of every other path. Batches are refused,
 * because each call is counted.
 */
export function createMcpRoute({ mcp, unpaid, problemReply }: McpRoutePorts) {
  return async (exchange: McpExchange): Promise<OperationReply> => {
    const { request, response, requestId, address } = exchange;
    const refuse = (reason: Reason, detail: string, headers: Record<string, string> = {}) =>
      problemReply(new ServiceError(reason, detail, { headers }), requestId);
    if (request.method === 'OPTIONS') return { status: 204, headers: mcpPreflightHeaders, body: undefined };
    if (request.method !== 'POST') {
      const tooMany = unpaid.take(address);
      if (tooMany !== undefined) return problemReply(tooMany, requestId);
      return refuse('method_not_allowed', 'This path accepts MCP over streamable HTTP: use POST.', {
        Allow: 'POST, OPTIONS',
      });
    }
    if (request.headers.expect !== undefined) response.writeContinue();
    const body = await readBody(request);
    const message = body && parse(body);
    const call = mcp.findCall(message);
    if (call !== undefined) exchange.operationId = call.operationId;
    // The gate counts a call with a payment, after it has checked that the payment is one.
    const tooMany = call?.isPaid === true ? undefined : unpaid.take(address);
    if (tooMany !== undefined) return problemReply(tooMany, requestId);
    if (body === undefined) {
      const detail = `A message may have at most ${maxBodyBytes} bytes.`;
      return refuse('payload_too_large', detail, { Connection: 'close' });
    }
    if (Array.isArray(message)) return refuse('invalid_parameter', 'Send one message at a time: no batches.');
    const told: ((completed: boolean) => void)[] = [];
    const answer = await mcp.answer(toWebRequest(request, body), message, {
      requestId,
      address,
      isAbandoned: () => isHungUp({ request, response }),
      onDelivery: (each) => void told.push(each),
      onAnswered: (called) => void (exchange.called ??= called),
    });
    return toReply(answer, told);
  };
}

/** Undefined when it exceeds the limit. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > maxBodyBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length;
      if (length > maxBodyBytes) return undefined;
      chunks.push(chunk as Buffer);
    }
  } catch {
    // The caller has disconnected, so the reply has no reader.
    return Buffer.alloc(0);
  }
  return Buffer.concat(chunks);
}

/** Undefined when it is not JSON. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The Host header is the requested name, or the name reported by trusted proxies. */
function toWebRequest(request: ExpressRequest, body: Buffer): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  headers.set('host', request.hostname ?? '');
  return new Request(`http://mcp.invalid${mcpPath}`, { method: 'POST', headers, body: new Uint8Array(body) });
}

async function toReply(answer: Response, told: readonly ((completed: boolean) => void)[]): Promise<OperationReply> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const mediaType = answer.headers.get('content-type');
  return {
    status: answer.status,
    headers: { ...(mediaType !== null && { 'Content-Type': mediaType }), 'Cache-Control': 'no-store' },
    body: bytes.length === 0 ? undefined : wholeBytes(bytes),
    ...(told.length > 0 && { onDelivery: (completed: boolean) => told.forEach((tell) => tell(completed)) }),
  };
}
