import type { Tool } from '@modelcontextprotocol/server';
import type { Contract, ContractOperation, ContractDocument, ContractParameter } from '../../contract/contract.js';
import { mostRecordsShown, readingTool, recordsShown, type McpTool } from './tool.js';
import { resolvePointer, follow, textSchema, type SchemaNode } from '../../contract/read-operations.js';

/** Creates a tool for every operation with `x-mcp-tool`, by name, in the order of the contract. */
export function createTools(contract: Contract): ReadonlyMap<string, McpTool> {
  return new Map(
    contract.operations.flatMap((operation): [string, McpTool][] => {
      const { tool, summary: title } = operation;
      if (tool === undefined) return [];
      const { name } = tool;
      const pages = contract.operations.find((each) => name === readingTool && each.operationId === 'getPage');
      const definition: Tool = {
        name,
        title,
        description: `${priceOf(operation)} ${tool.description}${pagingOf(operation)}`,
        inputSchema: inputSchema(contract.document, operation, pages),
        annotations: hintsOf(operation),
      };
      return [[name, { name, operation, pages, definition }]];
    }),
  );
}

function priceOf({ priceUsd }: ContractOperation): string {
  return priceUsd === undefined
    ? 'Free.'
    : `$${priceUsd} per call, by x402: call it without payment for the offer, then again with the signed payment in ` +
        '_meta["x402/payment"]. Nothing but a result is billed.';
}

function pagingOf({ parameters, priceUsd }: ContractOperation): string {
  return priceUsd !== undefined && parameters.some(({ name }) => name === 'limit')
    ? ` One payment buys the whole result set: a result shows ${recordsShown} records, the others are free.`
    : '';
}

/** Buying an exclusive lead changes what others can buy. */
function hintsOf({ tags, priceUsd }: ContractOperation): Tool['annotations'] {
  const isReadOnly = !tags.includes('exclusive');
  return {
    readOnlyHint: isReadOnly,
    destructiveHint: false,
    // A priced call with another payment is another purchase.
    idempotentHint: priceUsd === undefined,
    openWorldHint: false,
  };
}

/** The arguments of a tool: the operation's parameters, and what part of a bought reply is read. */
export function inputSchema(
  document: ContractDocument,
  operation: ContractOperation,
  pages?: ContractOperation,
): Tool['inputSchema'] {
  const parameters = operation.parameters.filter((each) => each.in !== 'header');
  // A page stands for itself.
  const required = pages ? [] : parameters.filter((each) => each.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(parameters.map((each) => [each.name, argumentSchema(document, each)])),
      ...(pages && viewSchemas),
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

const viewSchemas = { part: { type: 'string' }, from: { type: 'integer' }, page: { type: 'string' } };

/** A filter has its name, its type and its values; the instructions name the units of all of them. */
function argumentSchema(document: ContractDocument, parameter: ContractParameter): SchemaNode {
  const { name, pointer, description, required } = parameter;
  const schema = follow(document, resolvePointer(document, pointer));
  const { description: _, example: __, ...limits } = textSchema(document, schema);
  if (name === 'limit') {
    const shown = `a result shows ${recordsShown} of them, or up to ${mostRecordsShown} where more are asked for`;
    return { ...limits, description: `Most records in the reply; ${shown}.` };
  }
  if (!required) return { type: limits['type'], ...(limits['enum'] !== undefined && { enum: limits['enum'] }) };
  const { example } = resolvePointer(document, pointer.replace(/\/schema$/, '')) as SchemaNode;
  return { ...limits, description, ...(example !== undefined && { examples: [example] }) };
}
