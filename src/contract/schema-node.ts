import type { ContractDocument } from './contract.js';
import { resolvePointer } from './read-operations.js';

/** A node of a JSON schema, as the contract has it. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** The node itself, with a reference followed to where it leads. */
export function follow(document: ContractDocument, node: unknown): SchemaNode {
  const { $ref } = node as { readonly $ref?: string };
  return $ref === undefined ? (node as SchemaNode) : follow(document, resolvePointer(document, $ref));
}
