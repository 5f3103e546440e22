import type { Tool } from '@modelcontextprotocol/server';
import type { Contract, ContractOperation, ContractDocument, ContractParameter } from '../../contract/contract.js';
import type { McpTool } from './tool.js';
import { resolvePointer, follow, textSchema, type SchemaNode } from '../../contract/read-operations.js';

/** Creates a tool for every operation with `x-mcp-tool`, by name, in the order of the contract. */
export function createTools(contract: Contract): ReadonlyMap<string, McpTool> {
  return new Map(
    contract.operations.flatMap((operation): [string, McpTool][] => {
      const { tool, operationId, priceUsd } = operation;
      if (tool === undefined) return [];
      const { name } = tool;
      const reads = operationId === 'getPaymentResponse' ? 'getPage' : undefined;
      const pages = contract.operations.find((each) => each.operationId === reads);
      const definition: Tool = {
        name,
        description: `${priceUsd === undefined ? 'Free' : `$${priceUsd}`}. ${tool.description}`,
        inputSchema: inputSchema(contract.document, operation, pages),
        // Buying an exclusive lead changes what others can buy.
        annotations: operation.tags.includes('exclusive') ? { destructiveHint: false } : { readOnlyHint: true },
      };
      return [[name, { name, operation, pages, definition }]];
    }),
  );
}

/** The arguments of a tool: the operation's parameters by their types, and what the tool adds. */
function inputSchema(
  document: ContractDocument,
  { operationId, parameters }: ContractOperation,
  pages: ContractOperation | undefined,
): Tool['inputSchema'] {
  const all = parameters.filter((each) => each.in !== 'header');
  const isCount = operationId === 'countMatches';
  // A count takes the arguments of the tool that it counts, a page stands for itself.
  const own = isCount ? all.filter((each) => each.required) : all;
  const required = pages ? [] : own.filter((each) => each.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(own.map((each) => [each.name, argumentSchema(document, each)])),
      ...(isCount && { filters: { type: 'object' } }),
      ...(pages && { part: { type: 'string' }, from: { type: 'integer' }, page: { type: 'string' } }),
    },
    ...(required.length > 0 && { required }),
  };
}

/** The type of an argument, and its values where they are few. */
function argumentSchema(document: ContractDocument, { pointer }: ContractParameter): SchemaNode {
  const { type, enum: values } = textSchema(document, follow(document, resolvePointer(document, pointer)));
  return { type, ...(values !== undefined && { enum: values }) };
}
