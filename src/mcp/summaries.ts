import type { ContractDocument } from '../contract/contract.js';
import type { SchemaNode } from '../contract/schema-node.js';

/** A record by its main columns; undefined for what is no record that the contract names columns of. */
export type Summarize = (value: unknown) => SchemaNode | undefined;

/**
 * Shortens records to the columns that the contract names (`x-summary`). A record has all members of its schema, and so
 * is known by them.
 */
export function createSummaries({ components }: ContractDocument): Summarize {
  const columnsOf = new Map(
    Object.values(components['schemas'] ?? {}).flatMap((schema): [string, readonly string[]][] => {
      const { 'x-summary': columns, properties } = schema as SchemaNode;
      return Array.isArray(columns) ? [[shapeOf(properties as object), columns as string[]]] : [];
    }),
  );
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const columns = columnsOf.get(shapeOf(value));
    return columns && Object.fromEntries(columns.map((name) => [name, (value as SchemaNode)[name]]));
  };
}

function shapeOf(value: object): string {
  return Object.keys(value).sort().join(' ');
}
