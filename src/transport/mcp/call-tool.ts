import type { CallToolResult } from '@modelcontextprotocol/server';
import { concatBytes } from '../../contract/rendered.js';
import { ServiceError } from '../../errors.js';
import type { OperationReply, OperationRequest } from '../../operations/operation.js';
import type { SealedOperation } from '../../operations/seal-operation.js';
import type { PaymentTerms } from '../../payments/gate/terms.js';
import { encodeArguments } from './encode-arguments.js';
import { findPart } from './find-part.js';
import { paymentHeaders, paymentIdIn } from './payment-meta.js';
import { refusalResult } from './refusal-result.js';
import { replyResult, type Reading } from './reply-result.js';
import type { Summarize } from './summaries.js';
import { viewArguments, type McpTool } from './tool.js';

/** Who calls, as the transport knows it. */
export interface Caller extends Pick<OperationRequest, 'requestId' | 'address' | 'isAbandoned'> {
  /** To be told once: whether the result was handed over whole. */
  readonly onDelivery: (told: (completed: boolean) => void) => void;
}

/** The arguments and the `_meta` of one `tools/call`, as they came. */
export interface ToolCall {
  readonly tool: McpTool;
  readonly given: Readonly<Record<string, unknown>>;
  /** The payment of x402, as `_meta` carries it. */
  readonly payment: unknown;
}

export type CallTool = (call: ToolCall, caller: Caller) => Promise<CallToolResult>;

export interface CallPorts {
  readonly operations: ReadonlyMap<string, SealedOperation>;
  readonly tellProblem: (error: ServiceError, requestId: string) => OperationReply;
  readonly summarize: Summarize;
  /** Counts a call with a payment that is refused before anybody looks whether it is one. */
  readonly unpaid: { take(address: string): ServiceError | undefined };
  /** Where payments settle. */
  readonly network: PaymentTerms['network'];
  /** Lets whoever has the result of a payment have all of its reply. */
  readonly issueReplyToken: (paymentId: string) => string;
  readonly publicBaseUrl: string;
}

/**
 * Creates the calls of tools. Each is a request of the same sealed operation that answers over HTTP: parameters, price,
 * payment, ledger and errors are one and the same; only what is shown of the reply differs.
 */
export function createCallTool(ports: CallPorts): CallTool {
  const { operations, tellProblem } = ports;

  /** Errors go the way of the operation's own. */
  const refuse = (error: ServiceError, { tool, payment }: ToolCall, { requestId, address }: Caller) => {
    const tooMany = payment === undefined ? undefined : ports.unpaid.take(address);
    return refusalResult(tellProblem(tooMany ?? error, requestId), tool);
  };

  return async (call, caller) => {
    const { operation } = call.tool;
    const run = operations.get(operation.operationId);
    if (run === undefined) throw new Error(`${operation.operationId} was not sealed`);
    const { part, from, parameters } = splitView(call);
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
    const result = replyResult({ value: shown, part, from }, reply, readingOf(call), ports.summarize);
    if (reply.onDelivery !== undefined) caller.onDelivery(reply.onDelivery);
    return result;
  };

  /** How the rest of the reply is read, free of charge. */
  function readingOf({ tool, given, payment }: ToolCall): Reading {
    const paymentId = tool.operation.priceUsd === undefined ? undefined : paymentIdIn(payment, ports.network);
    if (paymentId === undefined) {
      const { part: _, from: __, ...same } = given;
      return { tool: tool.name, arguments: same };
    }
    const token = ports.issueReplyToken(paymentId);
    return {
      tool: 'read_purchase',
      arguments: { payment_id: paymentId, token },
      fullReply: `${ports.publicBaseUrl}/api/payments/${paymentId}/response?token=${token}`,
    };
  }
}

/** Parts a call's own parameters from what of a free reply to show; undefined where that cannot be read. */
function splitView({ tool, given }: ToolCall) {
  if (tool.operation.priceUsd !== undefined) return { part: '', from: 0, parameters: given };
  const parameters = Object.fromEntries(
    Object.entries(given).filter(([name]) => !viewArguments.some((own) => own === name)),
  );
  const part = given['part'] ?? '';
  const from = given['from'] ?? 0;
  return {
    part: typeof part === 'string' ? part : undefined,
    from: Number.isSafeInteger(from) && Number(from) >= 0 ? Number(from) : undefined,
    parameters,
  };
}

function textOf({ body }: OperationReply): string {
  return typeof body === 'string' ? body : Buffer.from(body === undefined ? [] : concatBytes(body)).toString('utf8');
}

type Fault = NonNullable<ServiceError['details']['faults']>[number];

const viewFault: Fault = {
  parameter: 'part',
  in: 'query',
  reason: 'invalid_parameter',
  detail: 'part must be a text such as /3, and from a whole number, 0 or more.',
};
const placeFault: Fault = {
  parameter: 'part',
  in: 'query',
  reason: 'invalid_parameter',
  detail: 'Nothing stands there in the reply: take part and from as `rest` names them.',
};

function faulty(faults: readonly Fault[]): ServiceError {
  return new ServiceError('invalid_parameter', 'Correct the arguments in `errors`.', { faults });
}
