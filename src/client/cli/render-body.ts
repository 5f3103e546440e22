import { plainText } from '../plain-text.js';
import { findRecords, isRow, type Row } from '../wire/records.js';
import { renderCsv } from '../wire/render-csv.js';
import { chooseColumns } from './columns.js';
import type { Format } from './verbs.js';
import { renderTable } from './render-table.js';
import { wrapText } from '../../terminal/render-section.js';

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

/** A body for a terminal of `width` characters: records as a table, one object as its fields, text unchanged. */
function renderBodyAsTable(body: unknown, width: number): string {
  const rows = findRecords(body)?.rows;
  if (rows?.length === 0) return 'No records.\n';
  if (rows !== undefined) return renderTable(rows, chooseColumns(rows), width);
  if (typeof body === 'string')
    return body
      .trimEnd()
      .split('\n')
      .map((line) => `${plainText(line)}\n`)
      .join('');
  if (!isRow(body)) return `${JSON.stringify(body)}\n`;
  return renderFields(body, width);
}

/**
 * One object for a terminal of `width` characters: a line for each field, nested fields indented. Long values wrap
 * within their column.
 */
function renderFields(thing: Row, width: number): string {
  const fields = listFields(thing, '');
  const indent = fields.reduce((longest, [name]) => Math.max(longest, name.length), 0) + 2;
  const lines = fields.flatMap(([name, value]) =>
    wrapText(value, width - indent).map((line, index) => (index === 0 ? name : '').padEnd(indent) + line),
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

type Field = readonly [name: string, value: string];

function listFields(thing: Row, indent: string): Field[] {
  return Object.entries(thing).flatMap(([name, value]): Field[] => {
    const field = indent + plainText(name);
    if (isRow(value) && Object.keys(value).length > 0) return [[field, ''], ...listFields(value, `${indent}  `)];
    if (!Array.isArray(value) || !value.some(isNested)) return [[field, plainText(inWords(value))]];
    return value.flatMap((each: unknown, index) => listFields({ [`${name} ${index + 1}`]: each }, indent));
  });
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function inWords(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return value.map(inWords).join(', ');
  return value === null || value === '' || isNested(value) ? '-' : String(value);
}
