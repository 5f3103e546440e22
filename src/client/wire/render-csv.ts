import { isFormula } from '../../wire/is-formula.js';
import { plainText } from '../plain-text.js';
import type { Row } from './records.js';

/**
 * Rows as CSV (RFC 4180): a header of all fields in order of first appearance, CRLF, quotes only where needed. Null and
 * missing values are empty; objects and arrays are JSON. Written for spreadsheets: a text that would be a formula gets
 * a leading `'`, and control, bidirectional and invisible characters become a space. JSON keeps texts exact.
 */
export function renderCsv(rows: readonly Row[]): string {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [fields, ...rows.map((row) => fields.map((field) => row[field]))];
  return lines.map((cells) => `${cells.map((cell) => quote(cellText(cell))).join(',')}\r\n`).join('');
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return plainText(typeof value === 'object' ? JSON.stringify(value) : String(value));
  const text = plainText(value);
  return isFormula(value, text) ? `'${text}` : text;
}

function quote(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
