import type { CallToolResult } from '@modelcontextprotocol/server';
import { concatBytes } from '../../contract/rendered.js';
import { ServiceError } from '../../errors.js';
import type { OperationReply, OperationRequest, Run } from '../../operations/operation.js';
import type { PaymentTerms } from '../../payments/terms.js';
import { encodeArguments } from './encode-arguments.js';
import { findPart } from './show.js';
import { paymentHeaders, paymentIdIn } from './payment-meta.js';
import { refusalResult } from './refusal-result.js';
import { replyResult, type Reading } from './reply-result.js';
import type { Summarize } from './summaries.js';
import { mostRecordsShown, readingTool, recordsShown, type McpTool } from './tool.js';

/** The caller, as the transport knows it. */
export interface Caller extends Pick<OperationRequest, 'requestId' | 'address' | 'isAbandoned'> {
  /** Registers a callback, called once with whether the result was handed over completely. */
  readonly onDelivery: (told: (completed: boolean) => void) => void;
}

/** The unchanged arguments and `_meta` of one `tools/call`. */
export interface ToolCall {
  readonly tool: McpTool;
  readonly given: Readonly<Record<string, unknown>>;
  /** The x402 payment in `_meta`. */
  readonly payment: unknown;
}

export type CallTool = (call: ToolCall, caller: Caller) => Promise<CallToolResult>;

export interface CallPorts {
  readonly operations: ReadonlyMap<string, Run>;
  readonly problemReply: (error: ServiceError, requestId: string) => OperationReply;
  readonly summarize: Summarize;
  /** Rate limit for calls whose payment is refused before it is verified. */
  readonly unpaid: { take(address: string): ServiceError | undefined };
  /** The network of settlements. */
  readonly network: PaymentTerms['network'];
  /** Issues the token that gives the payer of a result its whole reply. */
  readonly issueReplyToken: (paymentId: string) => string;
  readonly publicBaseUrl: string;
}

/**
 * Creates the tool calls. Each is a request to the same operation as over HTTP, with the same parameters, price,
 * payment, ledger and errors. Only the displayed part of the reply differs.
 */
export function createCallTool(ports: CallPorts): CallTool {
  const { operations, problemReply } = ports;

  /** Converts an error to a tool result in the same way as an operation's error. */
  const refuse = (error: ServiceError, { tool, payment }: ToolCall, { requestId, address }: Caller) => {
    const tooMany = payment === undefined ? undefined : ports.unpaid.take(address);
    return refusalResult(problemReply(tooMany ?? error, requestId), tool);
  };

  return async (call, caller) => {
    const { part, from, operation, parameters } = splitView(call);
    const run = operations.get(operation.operationId);
    if (run === undefined) throw new Error(`${operation.operationId} has no run`);
    const { query, path, faults } = encodeArguments(operation, parameters);
    if (faults.length > 0) return refuse(faulty(faults), call, caller);
    if (part === undefined || from === undefined) return refuse(faulty([viewFault]), call, caller);
    const reply = await run({
      ...caller,
      query,
      path,
      paymentSignatures: paymentHeaders(call.payment),
      walletProofs: [],
      ifNoneMatch: undefined,
      headOnly: false,
    });
    if (reply.status !== 200) return refusalResult(reply, call.tool);
    const value: unknown = JSON.parse(textOf(reply));
    const shown = findPart(value, part);
    if (shown === undefined || (from > 0 && (!Array.isArray(shown) || from >= shown.length)))
      return refuse(faulty([placeFault]), call, caller);
    const result = replyResult(
      { value: shown, part, from, rows: rowsOf(call) },
      reply,
      readingOf(call),
      ports.summarize,
    );
    if (reply.onDelivery !== undefined) caller.onDelivery(reply.onDelivery);
    return result;
  };

  /** How to read the rest of the reply, free. */
  function readingOf({ tool, given, payment }: ToolCall): Reading {
    const paymentId = tool.operation.priceUsd === undefined ? undefined : paymentIdIn(payment, ports.network);
    if (paymentId === undefined) {
      const { part: _, from: __, ...same } = given;
      return { tool: tool.name, arguments: same };
    }
    const token = ports.issueReplyToken(paymentId);
    return {
      tool: readingTool,
      arguments: { payment_id: paymentId, token },
      fullReply: `${ports.publicBaseUrl}/api/payments/${paymentId}/response?token=${token}`,
    };
  }
}

/** Separates an operation's parameters from what part of a bought reply is read; undefined where that is invalid. */
function splitView({ tool: { operation, pages }, given }: ToolCall) {
  if (pages === undefined) return { part: '', from: 0, operation, parameters: given };
  const { part = '', from = 0, page, ...own } = given;
  const read = page === undefined ? { operation, parameters: own } : { operation: pages, parameters: { token: page } };
  return {
    ...read,
    part: typeof part === 'string' ? part : undefined,
    from: Number.isSafeInteger(from) && Number(from) >= 0 ? Number(from) : undefined,
  };
}

/** How many rows of a bought list are shown, whatever was bought. The operation has judged the limit. */
function rowsOf({ tool, given }: ToolCall): number | undefined {
  if (tool.operation.priceUsd === undefined) return undefined;
  return Math.min(Number(given['limit'] ?? recordsShown), mostRecordsShown);
}

function textOf({ body }: OperationReply): string {
  return typeof body === 'string' ? body : Buffer.from(body === undefined ? [] : concatBytes(body)).toString('utf8');
}

type Fault = NonNullable<ServiceError['details']['faults']>[number];

const viewFault: Fault = {
  parameter: 'part',
  in: 'query',
  reason: 'invalid_parameter',
  detail: 'part must be a string such as /3, and from a whole number, 0 or more.',
};
const placeFault: Fault = {
  parameter: 'part',
  in: 'query',
  reason: 'invalid_parameter',
  detail: 'The reply has no such part: use part and from as given in `rest`.',
};

function faulty(faults: readonly Fault[]): ServiceError {
  return new ServiceError('invalid_parameter', 'Correct the arguments in `errors`.', { faults });
}
