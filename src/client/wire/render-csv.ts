import type { Row } from './records.js';

/**
 * Rows as CSV (RFC 4180): a header of all fields in order of first appearance, CRLF, quotes only where needed. Null and
 * missing values are empty; objects and arrays are JSON.
 */
export function renderCsv(rows: readonly Row[]): string {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [fields, ...rows.map((row) => fields.map((field) => cellText(row[field])))];
  return lines.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('');
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
