import type { Tool } from '@modelcontextprotocol/server';
import type { Contract, ContractOperation } from '../../contract/contract.js';
import { inputSchema } from './input-schema.js';
import { outputSchema } from './output-schema.js';
import { recordsPerCall, type McpTool } from './tool.js';

/** Creates a tool for every operation with `x-mcp-tool`, by name, in the order of the contract. */
export function createTools(contract: Contract): ReadonlyMap<string, McpTool> {
  return new Map(
    contract.operations.flatMap((operation): [string, McpTool][] => {
      const { tool, summary: title } = operation;
      if (tool === undefined) return [];
      const { name } = tool;
      const definition: Tool = {
        name,
        title,
        description: `${priceOf(operation)} ${tool.description}${pagingOf(operation)}`,
        inputSchema: inputSchema(contract.document, operation),
        outputSchema: outputSchema(contract.document, operation),
        annotations: hintsOf(operation),
      };
      return [[name, { name, operation, definition }]];
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
    ? ` One payment buys the whole result set: ${recordsPerCall} records at a time, the further ones free.`
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
