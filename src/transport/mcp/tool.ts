import type { Tool } from '@modelcontextprotocol/server';
import type { ContractOperation } from '../../contract/contract.js';

/** An operation of the contract as an MCP tool. */
export interface McpTool {
  readonly name: string;
  readonly operation: ContractOperation;
  /** The operation whose pages it reads as well: its `page` is that operation's `token`. */
  readonly pages: ContractOperation | undefined;
  /** Its entry in `tools/list`. */
  readonly definition: Tool;
}

/** Records that a result of a paid call shows, sized for a model; the others of the reply are read on, free. */
export const recordsShown = 25;
/** As many where `limit` asks for more. */
export const mostRecordsShown = 50;

/** Arguments of free tools where none are given, by operationId. */
export const defaultArguments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getMeta: { view: 'short' },
};
