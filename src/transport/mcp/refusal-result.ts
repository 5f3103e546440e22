import type { CallToolResult } from '@modelcontextprotocol/server';
import type { OperationReply } from '../../operations/operation.js';
import { toolUrl } from '../../payments/gate/asked-resource.js';
import { paymentKey, paymentResponseKey, settlementIn } from './payment-meta.js';
import { resultOf } from './reply-result.js';
import type { McpTool } from './tool.js';

/** The key of Retry-After, in seconds, in a result. */
const retryAfterKey = 'retry-after';

/** A limit for readability. */
const shownFaults = 10;

/**
 * The tool result of a refusal: the HTTP problem, with x402's PaymentRequired for this tool when payment is required.
 */
export function refusalResult(reply: OperationReply, tool: McpTool): CallToolResult {
  const problem = JSON.parse(String(reply.body)) as Problem;
  const settlement = settlementIn(reply.headers['PAYMENT-RESPONSE']);
  const told = {
    ...problem,
    ...(problem.accepts !== undefined && paymentRequiredOf(problem, tool)),
    errors: problem.errors.slice(0, shownFaults),
  };
  const wait = reply.headers['Retry-After'];
  const _meta = {
    ...(settlement && { [paymentResponseKey]: settlement }),
    ...(wait !== undefined && { [retryAfterKey]: Number(wait) }),
  };
  return { isError: true, ...resultOf(told), ...(Object.keys(_meta).length > 0 && { _meta }) };
}

interface Problem {
  readonly reason: string;
  readonly errors: readonly unknown[];
  readonly accepts?: readonly unknown[];
  readonly resource?: object;
  readonly extensions?: object;
  readonly [member: string]: unknown;
}

function paymentRequiredOf(
  { reason, errors, resource, extensions, accepts = [] }: Problem,
  { name, definition }: McpTool,
) {
  // A request for a wallet proof accepts no payment, so it names no price.
  if (accepts.length === 0) return {};
  return {
    ...(reason === 'payment_required' && {
      error: `Payment required to call ${name}`,
      detail:
        (errors.length > 0
          ? 'Correct the arguments in `errors` first: a paid call with them is refused, unbilled. '
          : '') +
        `Payment is required: sign one of \`accepts\` and call the tool again with the signed payment in _meta["${paymentKey}"].`,
    }),
    resource: { ...resource, url: toolUrl(name) },
    extensions: { ...extensions, bazaar: declareTool(name, definition) },
  };
}

/** The tool's declaration in the extension `bazaar`. */
function declareTool(toolName: string, { description, inputSchema }: McpTool['definition']) {
  return {
    info: {
      input: { type: 'mcp', toolName, description, transport: 'streamable-http', inputSchema },
      output: { type: 'json' },
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: 'mcp' },
            toolName: { type: 'string' },
            description: { type: 'string' },
            transport: { type: 'string', enum: ['streamable-http'] },
            inputSchema: { type: 'object' },
          },
          required: ['type', 'toolName', 'inputSchema'],
          additionalProperties: false,
        },
        output: { type: 'object' },
      },
      required: ['input'],
    },
  };
}
