import type { Tool } from '@modelcontextprotocol/server';
import type { ContractOperation } from '../../contract/contract.js';

/** An operation of the contract as agents see it. */
export interface McpTool {
  readonly name: string;
  readonly operation: ContractOperation;
  /** What `tools/list` tells of it. */
  readonly definition: Tool;
}

/** Most records of one paid call: what an agent can look over; the rest of the result set is free at `get_page`. */
export const recordsPerCall = 50;

/** Arguments that choose what of a reply is shown. Only free tools have them: nobody should pay to read on. */
export const viewArguments = ['part', 'from'] as const;
