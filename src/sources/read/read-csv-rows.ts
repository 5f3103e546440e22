import { parse } from 'csv-parse/sync';
import { decodeUtf8, type FileRow, maxRowBytes, refuseRow } from '../formats/file-row.js';
import { joinCsvRecords } from '../formats/join-csv-records.js';
import { readLines } from './read-lines.js';
import { SourceError } from '../source-error.js';

export interface CsvShape {
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** Columns that the header must name. */
  readonly required: readonly string[];
}

/**
 * The rows of a CSV file (RFC 4180, header line first) from the offset `start` on. csv-parse reads the fields of a
 * record; where a record ends is decided by `joinCsvRecords`, record by record, so that a bad one harms only itself.
 * Throws SourceError (`delivery_unreadable`) when the header lacks a required column or names one twice.
 */
export async function* readCsvRows(path: string, start: number, shape: CsvShape): AsyncGenerator<FileRow> {
  const header = await readHeader(path, shape);
  const lines = readLines(path, Math.max(start, header.end), maxRowBytes);
  const delimiter = shape.delimiter.charCodeAt(0);
  for await (const record of joinCsvRecords(lines, delimiter)) {
    if (!('bytes' in record)) yield record;
    else if (!isBlank(record.bytes)) yield parseRecord(record.bytes, record.end, header.columns, shape);
  }
}

async function readHeader(path: string, shape: CsvShape): Promise<{ columns: readonly string[]; end: number }> {
  for await (const line of readLines(path, 0, maxRowBytes)) {
    const columns = line.bytes === undefined ? undefined : readFields(line.bytes, shape)?.map((name) => name.trim());
    const missing = shape.required.filter((name) => !columns?.includes(name));
    if (columns === undefined || missing.length > 0) {
      const names = missing.slice(0, 5).map((name) => JSON.stringify(name));
      throw unreadable(
        `The header line lacks ${names.join(', ')}. Deliver UTF-8 CSV with these columns, or correct the mapping.`,
      );
    }
    const repeated = shape.required.find((name) => columns.indexOf(name) !== columns.lastIndexOf(name));
    if (repeated === undefined) return { columns, end: line.end };
    throw unreadable(`The header line names ${JSON.stringify(repeated)} twice. Name each mapped column once.`);
  }
  throw unreadable('The file has no header line. Deliver the column names in the first line.');
}

function parseRecord(bytes: Buffer, end: number, columns: readonly string[], shape: CsvShape): FileRow {
  if (decodeUtf8(bytes) === undefined) return refuseRow('wrong_encoding', 'The row is not valid UTF-8.', end);
  const fields = readFields(bytes, shape);
  if (fields === undefined) return refuseRow('row_unreadable', 'The row is not CSV.', end);
  if (fields.length !== columns.length) {
    const detail = `The row has ${fields.length} columns where the header has ${columns.length}.`;
    return refuseRow('row_unreadable', detail, end);
  }
  return { columns: Object.fromEntries(columns.map((name, index) => [name, fields[index]])), end };
}

function readFields(bytes: Buffer, shape: CsvShape): readonly string[] | undefined {
  try {
    const records: string[][] = parse(bytes, { delimiter: shape.delimiter, bom: true, relax_column_count: true });
    return records[0];
  } catch {
    return undefined;
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length <= 2 && bytes.toString('latin1').trim() === '';
}

function unreadable(message: string): SourceError {
  return new SourceError('delivery_unreadable', message);
}
