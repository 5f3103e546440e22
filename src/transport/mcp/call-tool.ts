import type { CallToolResult } from '@modelcontextprotocol/server';
import { ServiceError, type ParameterFault } from '../../errors.js';
import type { OnAnswered, OperationReply, OperationRequest, Run } from '../../operations/operation.js';
import { createAnswerInTime, type ReplyTimer } from '../../operations/answer-in-time.js';
import type { PaymentTerms } from '../../payments/terms.js';
import { encodeArguments, type Given } from './encode-arguments.js';
import { paymentHeaders, paymentIdIn } from './payment-meta.js';
import { mistakeResult, refusalResult } from './refusal-result.js';
import { replyResult, type ReplyAccess, type View } from './reply-result.js';
import type { Summaries } from './summaries.js';
import { textOf } from './text-of.js';
import { defaultArguments, mostRecordsShown, recordsShown, type McpTool } from './tool.js';

/** The caller, as the transport knows it. */
export interface Caller extends Pick<OperationRequest, 'requestId' | 'address' | 'isAbandoned'> {
  /** Registers a callback, called once with whether the result was handed over completely. */
  readonly onDelivery: (told: (completed: boolean) => void) => void;
  /** Called once the call has its reply. */
  readonly onAnswered: OnAnswered;
}

/** The unchanged arguments and `_meta` of one `tools/call`. */
export interface ToolCall {
  readonly tool: McpTool;
  readonly given: Given;
  /** The x402 payment in `_meta`. */
  readonly payment: unknown;
}

export type CallTool = (call: ToolCall, caller: Caller) => Promise<CallToolResult>;

export interface CallPorts {
  readonly operations: ReadonlyMap<string, Run>;
  readonly problemReply: (error: ServiceError, requestId: string) => OperationReply;
  readonly summaries: Summaries;
  /** Rate limit for calls whose payment is refused before it is verified. */
  readonly unpaid: { take(address: string): ServiceError | undefined };
  /** The network of settlements. */
  readonly network: PaymentTerms['network'];
  /** Issues the token that gives the payer of a result its whole reply. */
  readonly issueReplyToken: (paymentId: string) => string;
  /** The timer that bounds a reply; default: setTimeout. */
  readonly replyTimer?: ReplyTimer;
}

/**
 * Creates the tool calls. Each is a request to the same operation as over HTTP, with the same parameters, price,
 * payment, ledger and errors. Only the displayed part of the reply differs.
 */
export function createCallTool(ports: CallPorts): CallTool {
  const inTime = createAnswerInTime(ports.problemReply, ports.replyTimer);
  /** Faults that only a tool call can have; they count as any other call. */
  const refuse = (faults: readonly ParameterFault[], { tool, payment }: ToolCall, caller: Caller) => {
    const tooMany = payment === undefined ? undefined : ports.unpaid.take(caller.address);
    const error = tooMany ?? new ServiceError('invalid_parameter', 'Correct the arguments.', { faults });
    const reply = ports.problemReply(error, caller.requestId);
    const about = { transport: 'mcp', operationId: tool.operation.operationId, query: '', ms: 0 } as const;
    caller.onAnswered({ ...about, hasPayment: payment !== undefined, reply });
    return tooMany === undefined ? mistakeResult('invalid_parameter', faults) : refusalResult(reply, tool);
  };

  return async (call, caller) => {
    const { operation, view, parameters, faults: viewFaults } = readCall(call);
    const { query, path, faults } = encodeArguments(operation, parameters);
    const all = [...viewFaults, ...faults];
    if (all.length > 0) return refuse(all, call, caller);
    const run = ports.operations.get(operation.operationId);
    if (run === undefined) throw new Error(`${operation.operationId} has no run`);
    const startedAt = performance.now();
    const asked = {
      ...caller,
      query,
      path,
      paymentSignatures: paymentHeaders(call.payment),
      walletProofs: [],
      ifNoneMatch: undefined,
      headOnly: false,
    };
    const reply = await inTime(run(asked), asked);
    const ms = performance.now() - startedAt;
    const { operationId } = operation;
    const about = { transport: 'mcp', operationId, query, hasPayment: call.payment !== undefined } as const;
    caller.onAnswered({ ...about, reply, ms });
    if (reply.status !== 200) return refusalResult(reply, call.tool);
    const value: unknown = JSON.parse(textOf(reply));
    const result = replyResult(value, view, reply, ports.summaries, replyAccessOf(call));
    if (result === undefined) return refuse([placeFault], call, caller);
    if (reply.onDelivery !== undefined) caller.onDelivery(reply.onDelivery);
    return result;
  };

  function replyAccessOf({ tool, payment }: ToolCall): ReplyAccess | undefined {
    const { priceUsd } = tool.operation;
    const id = priceUsd === undefined ? undefined : paymentIdIn(payment, ports.network);
    return id === undefined
      ? undefined
      : { price: `$${String(priceUsd)}`, payment_id: id, token: ports.issueReplyToken(id) };
  }
}

/** Separates the operation's parameters from what the tool adds: filters in an object, and what part is shown. */
function readCall({ tool: { operation, pages }, given }: ToolCall) {
  const isWhole = operation.tags.includes('exclusive');
  const plain: View = { part: '', from: 0, rows: undefined, isWhole, page: undefined };
  if (pages !== undefined) {
    const { part = '', from = 0, page, ...own } = given;
    const isValid = typeof part === 'string' && Number.isSafeInteger(from) && Number(from) >= 0;
    return {
      ...(page === undefined ? { operation, parameters: [own] } : { operation: pages, parameters: [{ token: page }] }),
      view: { ...plain, part: String(part), from: Number(from), rows: mostRecordsShown, page },
      faults: isValid ? [] : [viewFault],
    };
  }
  const { filters = {}, ...own } = given;
  if (operation.operationId === 'countMatches' && filters !== null) {
    const isObject = typeof filters === 'object' && !Array.isArray(filters);
    return {
      operation,
      parameters: [own, isObject ? (filters as Given) : {}],
      view: plain,
      faults: isObject ? [] : [filtersFault],
    };
  }
  // How many rows of a bought list are shown, whatever was bought. The operation judges the limit.
  const limit = Math.min(Number(given['limit'] ?? recordsShown), mostRecordsShown);
  const parameters = [{ ...defaultArguments[operation.operationId], ...given }];
  return { operation, parameters, view: { ...plain, rows: operation.priceUsd ? limit : undefined }, faults: [] };
}

const viewFault = faultOf('part', 'part: a text such as /3; from: a whole number, 0 or more');
const placeFault = faultOf('part', 'the reply has no such part or row');
const filtersFault = faultOf('filters', 'an object with the arguments of the tool in `of`');

function faultOf(parameter: string, detail: string): ParameterFault {
  return { parameter, in: 'query', reason: 'invalid_parameter', detail };
}
