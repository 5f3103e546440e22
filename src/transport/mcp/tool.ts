import type { Tool } from '@modelcontextprotocol/server';
import type { ContractOperation } from '../../contract/contract.js';

/** An operation of the contract as an MCP tool. */
export interface McpTool {
  readonly name: string;
  readonly operation: ContractOperation;
  /** Its entry in `tools/list`. */
  readonly definition: Tool;
}

/** Records that a result of a paid call shows, sized for a model; the others of the reply are read on, free. */
export const recordsShown = 25;
/** As many where `limit` asks for more. */
export const mostRecordsShown = 50;

/** Arguments that select the displayed part of a reply. Only free tools have them, so that no one pays to read on. */
export const viewArguments = ['part', 'from'] as const;
