import { readFile, stat } from 'node:fs/promises';
import { readWorkbook } from '../formats/hud/read-workbook.js';
import { SourceError, unreadable } from '../source-error.js';
import { isHeader, readHeader, type WantedColumns } from './column-names.js';
import type { FileRow } from './read-lines.js';
import { toColumns } from './read-csv-rows.js';

const maxBytes = 64 * 1024 * 1024;
/** The header is looked for in so many lines; above it may stand titles. */
const maxLinesToHeader = 50;

/**
 * The first sheet of a workbook (.xlsx): its header, and its rows behind it. It is read into memory as a whole.
 *
 * @throws SourceError when it is no workbook, is too large, lacks a required column or names a mapped one twice
 */
export async function readSheet(path: string, wanted: WantedColumns) {
  if ((await stat(path)).size > maxBytes)
    throw new SourceError('upstream_too_large', 'The workbook is larger than 64 MiB. Deliver it as CSV.');
  const lines = await readWorkbook(await readFile(path), 'this delivery', maxBytes);
  if (lines.length === 0) throw unreadable('The sheet is empty. Deliver the column names in its first line.');
  const at = lines.slice(0, maxLinesToHeader).findIndex((line) => isHeader(line, wanted));
  const { columns, written } = readHeader(lines[Math.max(at, 0)] ?? [], wanted);
  const rows = lines.slice(Math.max(at, 0) + 1).map((line): FileRow => toColumns(line, columns));
  return { written, rows };
}
