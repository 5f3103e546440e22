import { type FileRow, maxRowBytes } from '../formats/file-row.js';
import { parseJsonRow } from '../formats/parse-json-row.js';
import { readLines } from './read-lines.js';

/** The rows of a file with one JSON object a line, from the offset `start` on. Blank lines are passed over. */
export async function* readNdjsonRows(path: string, start: number): AsyncGenerator<FileRow> {
  for await (const { bytes, end } of readLines(path, start, maxRowBytes)) {
    if (bytes !== undefined && /^\s*$/.test(bytes.toString('latin1'))) continue;
    yield parseJsonRow(bytes, end);
  }
}
