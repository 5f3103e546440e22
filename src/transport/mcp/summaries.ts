import type { ContractDocument } from '../../contract/contract.js';
import type { SchemaNode } from '../../contract/read-operations.js';

/** Values reduced to the columns that the contract names in `x-summary`. */
export interface Summaries {
  /**
   * The value with its records, and those within, reduced to their columns: a list of records as a table, a record of
   * one column as that value.
   */
  readonly summarize: (value: unknown) => unknown;
  /** Records as a table; undefined for other values. */
  readonly tableOf: (values: unknown) => Table | undefined;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Reasons of empty cells, by rows, such as `2` or `2,5`, and columns. */
  readonly absent?: Readonly<Record<string, Reasons>>;
}

/** Why a value is absent, by its name. */
type Reasons = Readonly<Record<string, string>>;

/** Reads `x-summary`. A record contains every member of its schema, so its member names identify the schema. */
export function createSummaries({ components }: ContractDocument): Summaries {
  const columnsOf = new Map(
    Object.values(components['schemas'] ?? {}).flatMap((schema): [string, readonly string[]][] => {
      const { 'x-summary': columns, properties } = schema as SchemaNode;
      return Array.isArray(columns) ? [[shapeOf(properties as object), columns as string[]]] : [];
    }),
  );

  function tableOf(values: unknown): Table | undefined {
    if (!Array.isArray(values) || values.length === 0) return undefined;
    const records = values.map((value: unknown) => ({ value, columns: columnsIn(value) }));
    if (!records.every(({ columns }) => columns !== undefined)) return undefined;
    // Leads of several types share a table.
    const columns = [...new Set(records.flatMap((each) => each.columns ?? []))];
    const rows = records.map(({ value }) => columns.map((name) => summarize((value as SchemaNode)[name] ?? null)));
    const rowsOf = new Map<string, number[]>();
    for (const [row, { value }] of records.entries()) {
      const reasons = JSON.stringify(reasonsOf(value as SchemaNode, columns));
      rowsOf.set(reasons, [...(rowsOf.get(reasons) ?? []), row]);
    }
    rowsOf.delete('{}');
    const absent = [...rowsOf].map(([reasons, of]) => [of.join(','), JSON.parse(reasons) as Reasons] as const);
    return absent.length === 0 ? { columns, rows } : { columns, rows, absent: Object.fromEntries(absent) };
  }

  function summarize(value: unknown): unknown {
    if (Array.isArray(value)) return tableOf(value) ?? value.map(summarize);
    if (typeof value !== 'object' || value === null) return value;
    const columns = columnsIn(value);
    const names = columns ?? Object.keys(value);
    const shown = Object.fromEntries(names.map((name) => [name, summarize(Reflect.get(value, name))]));
    if (columns === undefined) return shown;
    const [only] = columns;
    if (columns.length === 1 && only !== undefined) return shown[only];
    const absent = reasonsOf(value as SchemaNode, columns);
    return { ...shown, ...(Object.keys(absent).length > 0 && { absent }) };
  }

  function columnsIn(value: unknown): readonly string[] | undefined {
    return typeof value === 'object' && value !== null ? columnsOf.get(shapeOf(value)) : undefined;
  }

  return { summarize, tableOf };
}

function reasonsOf({ absent }: SchemaNode, columns: readonly string[]): Reasons {
  const all = Object.entries((absent ?? {}) as Readonly<Record<string, { readonly reason: string }>>);
  return Object.fromEntries(all.flatMap(([name, { reason }]) => (columns.includes(name) ? [[name, reason]] : [])));
}

function shapeOf(value: object): string {
  return Object.keys(value).sort().join(' ');
}
