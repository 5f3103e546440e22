import { decodeUtf8, type FileRow, refuseLargeRow, refuseRow } from './file-row.js';
import { readJson } from '../read/read-json.js';

/**
 * Reads one JSON object from its bytes (undefined: it was too large), or refuses it. `end` is the offset after the row.
 */
export function parseJsonRow(bytes: Buffer | undefined, end: number): FileRow {
  if (bytes === undefined) return refuseLargeRow(end);
  const text = decodeUtf8(bytes);
  if (text === undefined) return refuseRow('wrong_encoding', 'The row is not valid UTF-8.', end);
  const row = readJson(text);
  if (isColumns(row)) return { columns: row, end };
  return refuseRow('row_unreadable', 'The row is not a JSON object.', end);
}

function isColumns(row: unknown): row is Record<string, unknown> {
  return typeof row === 'object' && row !== null && !Array.isArray(row);
}
