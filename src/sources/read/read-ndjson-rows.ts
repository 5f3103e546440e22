import { createReadStream } from 'node:fs';
import { decodeUtf8, type FileRow, maxRowBytes, tooLargeRow, readLines } from './read-lines.js';
import { readJson } from './read-json.js';
import { isObject } from '../upstream/get-json.js';

/** The rows of a file with one JSON object a line. Blank lines are passed over. */
export async function* readNdjsonRows(path: string): AsyncGenerator<FileRow> {
  for await (const line of readLines(createReadStream(path), maxRowBytes)) {
    if (line === undefined || !/^\s*$/.test(line.toString('latin1'))) yield parseJsonRow(line);
  }
}

/** Reads one JSON object from its bytes, or refuses it; undefined bytes: it was too large. */
export function parseJsonRow(bytes: Buffer | undefined): FileRow {
  if (bytes === undefined) return tooLargeRow;
  const text = decodeUtf8(bytes);
  if (text === undefined) return { reject: 'wrong_encoding', detail: 'The row is not valid UTF-8.' };
  const row = readJson(text);
  if (isObject(row)) return { columns: row };
  return { reject: 'row_unreadable', detail: 'The row is not a JSON object.' };
}
