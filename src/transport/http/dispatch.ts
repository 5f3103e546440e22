import type { Request, RequestHandler, Response } from 'express';
import type { Contract, ContractOperation } from '../../contract/contract.js';
import type { Validators } from '../../contract/validators.js';
import { ServiceError, type Reason } from '../../errors.js';
import { addressKey, type RateLimiter } from '../../limits/rate-limiter.js';
import type { AnsweredCall, OnAnswered, OperationReply, OperationRequest, Run } from '../../operations/operation.js';
import { createProblemReply, toServiceError } from '../../operations/problem.js';
import { createAnswerInTime, type ReplyTimer } from '../../operations/answer-in-time.js';
import { completeQuery, isNavigation, type RenderForPeople, showToPeople } from './navigation.js';
import type { CompressedCopies } from './send-reply.js';
import { createContractRouter, type RouteHandler } from './contract-router.js';
import { createMcpRoute, mcpPath, type McpEndpoint } from './mcp-route.js';
import { createRequestLog, type RequestLogPorts } from './request-log.js';
import { preflightHeaders } from './static-headers.js';
import { isHungUp, sendReply } from './send-reply.js';

export interface DispatchPorts extends RequestLogPorts {
  readonly contract: Contract;
  readonly validators: Validators;
  readonly operations: ReadonlyMap<string, Run>;
  readonly copies: CompressedCopies;
  /** Rate limit by address for requests without a payment. */
  readonly unpaid: RateLimiter;
  /** Renders an error for a person; without it, people get the bytes of programs. */
  readonly renderForPeople?: RenderForPeople;
  /** The MCP endpoint. */
  readonly mcp: McpEndpoint;
  readonly nextRequestId: () => string;
  /** True while the server is stopping. Each reply then closes its connection. */
  readonly isStopping: () => boolean;
  readonly onAnswered?: OnAnswered | undefined;
  /** The timer that bounds a reply; default: setTimeout. */
  readonly replyTimer?: ReplyTimer;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  readonly query: string;
  readonly address: string;
  operationId?: string;
  /** The call of a tool in the message, with its reply. */
  called?: AnsweredCall;
}

/** Creates the single request handler of the server: one reply and one log line per request. */
export async function createDispatch(ports: DispatchPorts): Promise<RequestHandler> {
  const problemReply = createProblemReply(ports.validators);
  const refuse = (exchange: Exchange, reason: Reason, detail: string, headers: Record<string, string> = {}) =>
    problemReply(new ServiceError(reason, detail, { headers }), exchange.requestId);

  const inTime = createAnswerInTime(problemReply, ports.replyTimer);
  const logRequest = createRequestLog(ports);
  const answerMcp = createMcpRoute({ ...ports, problemReply });
  const router = await createContractRouter<Exchange, OperationReply | Promise<OperationReply>>(ports.contract, {
    operations: new Map(
      ports.contract.operations.map((operation) => [
        operation.operationId,
        createRoute(operation, [...(operation.replies.get(200)?.keys() ?? [])]),
      ]),
    ),
    notFound: (_, exchange) =>
      refuseTooMany(exchange) ??
      refuse(exchange, 'not_found', 'No such path. The contract at /openapi.json lists all paths.'),
    methodNotAllowed: (_, exchange) =>
      refuseTooMany(exchange) ?? refuse(exchange, 'method_not_allowed', 'Use GET.', { Allow: 'GET, HEAD, OPTIONS' }),
  });

  function refuseTooMany({ address, requestId }: Exchange): OperationReply | undefined {
    const refusal = ports.unpaid.take(address);
    return refusal && problemReply(refusal, requestId);
  }

  function createRoute(
    { operationId, tags, priceUsd }: ContractOperation,
    mediaTypes: string[],
  ): RouteHandler<Exchange, OperationReply | Promise<OperationReply>> {
    const run = ports.operations.get(operationId);
    if (run === undefined) throw new Error(`${operationId} has no run`);
    return ({ request: { params } }, exchange) => {
      exchange.operationId = operationId;
      const { request, query } = exchange;
      const { accept = '*/*' } = request.headers;
      const paymentSignatures = readBase64Header(request, 'payment-signature');
      // The gate counts a request with a payment, after it has checked that the payment is one.
      const mayBePaid = priceUsd !== undefined && paymentSignatures.length > 0 && request.method !== 'HEAD';
      const tooMany = !tags.includes('health') && !mayBePaid ? refuseTooMany(exchange) : undefined;
      if (tooMany !== undefined) return tooMany;
      if (priceUsd !== undefined && isNavigation(request)) {
        const complete = completeQuery(request, query);
        if (complete !== undefined) return complete;
      } else if (accept !== '*/*' && accept !== mediaTypes[0] && request.accepts(mediaTypes) === false) {
        return (
          (mayBePaid ? refuseTooMany(exchange) : undefined) ??
          refuse(exchange, 'not_acceptable', `This path returns ${mediaTypes.join(' or ')} only.`)
        );
      }
      const asked = askedBy(exchange, params as Record<string, string>, paymentSignatures);
      return inTime(run(asked), asked);
    };
  }

  async function answer(exchange: Exchange, path: string): Promise<OperationReply> {
    const { request } = exchange;
    if (path === mcpPath) return answerMcp(exchange);
    if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders, body: undefined };
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    if (coding !== undefined || length !== '0') {
      return refuse(exchange, 'payload_too_large', 'This path accepts no request body.', { Connection: 'close' });
    }
    const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
    // The target is matched unchanged: not trimmed, decoded or resolved.
    return router.handleRequest({ method, path: /^\/[\x21-\x7e]*$/.test(path) ? path : '/ ', headers: {} }, exchange);
  }

  async function dispatch(request: Request, response: Response): Promise<void> {
    const startedAt = performance.now();
    const mark = request.url.indexOf('?');
    const path = mark === -1 ? request.url : request.url.slice(0, mark);
    const exchange: Exchange = {
      request,
      response,
      requestId: ports.nextRequestId(),
      query: mark === -1 ? '' : request.url.slice(mark + 1),
      // The socket's address, or the client address reported by trusted proxies.
      address: addressKey(request.ip ?? ''),
    };
    const { requestId } = exchange;
    const reply = await answer(exchange, path).catch((error: unknown) => {
      ports.log.error({ err: error, requestId }, 'unhandled error');
      return problemReply(toServiceError(error), requestId);
    });
    const ms = performance.now() - startedAt;
    const transport = path === mcpPath ? 'mcp' : 'http';
    const { operationId, query, called } = exchange;
    const hasPayment = request.headers['payment-signature'] !== undefined;
    const call = called ?? { transport, operationId, query, hasPayment, reply, ms };
    // A message of the MCP protocol itself calls no operation.
    if (transport === 'http' || called !== undefined || reply.status !== 200) ports.onAnswered?.(call);
    logRequest(requestId, exchange.address, call);
    try {
      const render = isNavigation(request) ? ports.renderForPeople : undefined;
      const shown = render === undefined ? reply : await showToPeople({ ...exchange, path, render }, reply);
      await sendReply(request, response, shown, requestId, ports.copies, ports.isStopping());
    } catch (error) {
      ports.log.error({ err: error, requestId }, 'reply not sent');
      response.destroy();
    }
  }

  return dispatch;
}

/** The request in the form of an operation. */
function askedBy(
  exchange: Exchange,
  path: Readonly<Record<string, string>>,
  paymentSignatures: readonly string[],
): OperationRequest {
  const { request, query, requestId, address } = exchange;
  return {
    query,
    path,
    paymentSignatures,
    requestId,
    address,
    walletProofs: readBase64Header(request, 'sign-in-with-x'),
    ifNoneMatch: request.headers['if-none-match'],
    headOnly: request.method === 'HEAD',
    isAbandoned: () => isHungUp(exchange),
  };
}

/** Splits repeated headers that Node has joined. Base64 contains no comma. */
function readBase64Header(request: Request, name: string): readonly string[] {
  const header = request.headers[name];
  if (header === undefined) return [];
  return typeof header === 'string' ? header.split(',').map((each) => each.trim()) : header;
}
