import type { Tool } from '@modelcontextprotocol/server';
import type { ContractOperation } from '../../contract/contract.js';

/** An operation of the contract as an MCP tool. */
export interface McpTool {
  readonly name: string;
  readonly operation: ContractOperation;
  /** Its entry in `tools/list`. */
  readonly definition: Tool;
}

/** Maximum records of one paid call, sized for a model. `get_page` returns the rest of the result set, free. */
export const recordsPerCall = 50;

/** Arguments that select the displayed part of a reply. Only free tools have them, so that no one pays to read on. */
export const viewArguments = ['part', 'from'] as const;
