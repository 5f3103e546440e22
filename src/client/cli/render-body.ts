import { plainText } from '../plain-text.js';
import { findRecords, isRow, type Row } from '../wire/records.js';
import { renderCsv } from '../wire/render-csv.js';
import { chooseColumns } from './columns.js';
import type { Format } from './verbs.js';
import { renderTable } from './render-table.js';

/** A body in a format. Text that is not a list of records is printed unchanged in every format. */
export function renderBody(body: unknown, format: Format, width: number): string {
  switch (format) {
    case 'table':
      return renderBodyAsTable(body, width);
    case 'json':
      return typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
    case 'ndjson':
      return typeof body === 'string'
        ? body
        : listRows(body)
            .map((row) => `${JSON.stringify(row)}\n`)
            .join('');
    case 'csv':
      return isRow(body) || Array.isArray(body) ? renderCsv(listRows(body)) : String(body);
  }
}

/** The records of a body. A single object is one row. */
function listRows(body: unknown): readonly Row[] {
  return findRecords(body)?.rows ?? [isRow(body) ? body : { value: body }];
}

/** A body for a terminal of `width` characters: records as a table, another object as JSON to read, text unchanged. */
function renderBodyAsTable(body: unknown, width: number): string {
  const rows = findRecords(body)?.rows;
  if (rows?.length === 0) return 'No records.\n';
  if (rows !== undefined) return renderTable(rows, chooseColumns(rows), { width }).text;
  const text = typeof body === 'string' ? body.trimEnd() : JSON.stringify(body, undefined, 2);
  return text
    .split('\n')
    .map((line) => `${plainText(line)}\n`)
    .join('');
}
