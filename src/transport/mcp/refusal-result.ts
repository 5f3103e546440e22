import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ParameterFault } from '../../errors.js';
import type { OperationReply } from '../../operations/operation.js';
import { toolUrl } from '../../payments/gate/resource-match.js';
import { paymentKey, paymentResponseKey, settlementIn } from './payment-meta.js';
import type { McpTool } from './tool.js';

/** The key of Retry-After, in seconds, in a result. */
const retryAfterKey = 'retry-after';

/** The longest result of a mistake: a mistake must not fill the model's context. */
const maxMistakeBytes = 600;

/**
 * The tool result of a refusal: the mistakes alone where the arguments are faulty, paid for or not; else the HTTP
 * problem, with x402's PaymentRequired for this tool when payment is required.
 */
export function refusalResult(reply: OperationReply, tool: McpTool): CallToolResult {
  const problem = JSON.parse(String(reply.body)) as Problem;
  if (problem.errors.length > 0) return mistakeResult(problem.reason, problem.errors);
  const settlement = settlementIn(reply.headers['PAYMENT-RESPONSE']);
  const told = { ...problem, ...(problem.accepts !== undefined && paymentRequiredOf(problem, tool)) };
  const wait = reply.headers['Retry-After'];
  const _meta = {
    ...(settlement && { [paymentResponseKey]: settlement }),
    ...(wait !== undefined && { [retryAfterKey]: Number(wait) }),
  };
  return {
    isError: true,
    // x402 reads the object, and clients without structured content the text.
    structuredContent: told,
    content: [{ type: 'text', text: JSON.stringify(told) }],
    ...(Object.keys(_meta).length > 0 && { _meta }),
  };
}

/** As many faults as fit, at least one. */
export function mistakeResult(reason: string, faults: readonly ParameterFault[]): CallToolResult {
  const errors = faults.map(({ parameter, detail: told, nearest }) => {
    const detail = told.length > maxDetail ? `${told.slice(0, maxDetail - 3)}...` : told;
    return { parameter, detail, nearest };
  });
  const draw = () => JSON.stringify({ reason, errors, billed: false });
  while (errors.length > 1 && Buffer.byteLength(JSON.stringify(draw())) > maxMistakeBytes - envelopeBytes) errors.pop();
  return { isError: true, content: [{ type: 'text', text: draw() }] };
}

/** The longest detail, in characters. */
const maxDetail = 300;
/** The size of a result around its text. */
const envelopeBytes = 60;

interface Problem {
  readonly reason: string;
  readonly errors: readonly ParameterFault[];
  readonly accepts?: readonly unknown[];
  readonly resource?: object;
  readonly extensions?: object;
  readonly [member: string]: unknown;
}

function paymentRequiredOf({ reason, resource, extensions, accepts = [] }: Problem, { name, definition }: McpTool) {
  // A request for a wallet proof accepts no payment, so it names no price.
  if (accepts.length === 0) return {};
  return {
    ...(reason === 'payment_required' && {
      error: `Payment required to call ${name}`,
      detail: `Sign one of \`accepts\` and call the tool again with the signed payment in _meta["${paymentKey}"].`,
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
