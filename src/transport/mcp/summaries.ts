import type { ContractDocument } from '../../contract/contract.js';
import type { SchemaNode } from '../../contract/read-operations.js';

/** A record reduced to its main columns; undefined for a value without `x-summary` columns in the contract. */
export type Summarize = (value: unknown) => SchemaNode | undefined;

/**
 * Reduces records to the columns in `x-summary`, with the reasons for those that are absent. A record contains every
 * member of its schema, so its member names identify the schema.
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
    return columns && shorten(value as SchemaNode, columns);
  };
}

function shorten(record: SchemaNode, columns: readonly string[]): SchemaNode {
  const shown = Object.fromEntries(columns.map((name) => [name, record[name]]));
  const reasons = Object.entries((record['absent'] ?? {}) as SchemaNode).filter(([name]) => columns.includes(name));
  return { ...shown, absent: Object.fromEntries(reasons) };
}

function shapeOf(value: object): string {
  return Object.keys(value).sort().join(' ');
}
