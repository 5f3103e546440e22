import { chooseColumns } from './columns.js';
import { findRecords, isRow, type Row } from './records.js';
import { renderCsv } from './render-csv.js';
import { renderTable } from './render-table.js';

/** A body as CSV. One thing that is no list is one row. Undefined when there is nothing to put into columns. */
export function renderBodyAsCsv(body: unknown): string | undefined {
  const rows = findRecords(body)?.rows ?? (isRow(body) ? [body] : undefined);
  return rows && renderCsv(rows);
}

/** A body for a terminal of so many characters: records as a table, one thing as its fields, a text as it is. */
export function renderBodyAsTable(body: unknown, width: number): string {
  const rows = findRecords(body)?.rows;
  if (rows?.length === 0) return 'No records.\n';
  if (rows !== undefined) return renderTable(rows, chooseColumns(rows), width);
  if (!isRow(body)) return `${typeof body === 'string' ? body.trimEnd() : JSON.stringify(body)}\n`;
  const fields = Object.entries(body).map(([field, value]): Row => ({ field, value }));
  return renderTable(fields, fieldColumns, width);
}

const fieldColumns = [
  { title: 'Field', cell: (row: Row) => String(row['field']), isNumeric: false, isOptional: false },
  {
    title: 'Value',
    cell: ({ value }: Row) => (typeof value === 'string' ? value : JSON.stringify(value)),
    isNumeric: false,
    isOptional: false,
  },
];
