import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { decodeUtf8, type FileRow, maxRowBytes, readLines } from './read-lines.js';
import { joinCsvRecords } from './join-csv-records.js';
import { unreadable } from '../source-error.js';

export interface CsvShape {
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** Columns that the header must name. */
  readonly required: readonly string[];
}

/**
 * The rows of a CSV file (RFC 4180, header line first). csv-parse reads the fields of a record; where a record ends is
 * decided by `joinCsvRecords`, record by record, so that a bad one harms only itself. Throws SourceError
 * (`delivery_unreadable`) when the header lacks a required column or names one twice.
 */
export async function* readCsvRows(path: string, shape: CsvShape): AsyncGenerator<FileRow> {
  const stream = createReadStream(path);
  try {
    const lines = readLines(stream, maxRowBytes);
    const { done, value: header } = await lines.next();
    if (done === true) throw unreadable('The file has no header line. Deliver the column names in the first line.');
    const columns = readHeader(header, shape);
    for await (const record of joinCsvRecords(lines, shape.delimiter.charCodeAt(0))) {
      if (!Buffer.isBuffer(record)) yield record;
      else if (!isBlank(record)) yield parseRecord(record, columns, shape);
    }
  } finally {
    stream.destroy();
  }
}

function readHeader(line: Buffer | undefined, shape: CsvShape): readonly string[] {
  const columns = line && readFields(line, shape)?.map((name) => name.trim());
  const missing = shape.required.filter((name) => !columns?.includes(name));
  if (columns === undefined || missing.length > 0) {
    const names = missing.slice(0, 5).map((name) => JSON.stringify(name));
    throw unreadable(
      `The header line lacks ${names.join(', ')}. Deliver UTF-8 CSV with these columns, or correct the mapping.`,
    );
  }
  const repeated = shape.required.find((name) => columns.indexOf(name) !== columns.lastIndexOf(name));
  if (repeated === undefined) return columns;
  throw unreadable(`The header line names ${JSON.stringify(repeated)} twice. Name each mapped column once.`);
}

function parseRecord(bytes: Buffer, columns: readonly string[], shape: CsvShape): FileRow {
  if (decodeUtf8(bytes) === undefined) return { reject: 'wrong_encoding', detail: 'The row is not valid UTF-8.' };
  const fields = readFields(bytes, shape);
  if (fields === undefined) return { reject: 'row_unreadable', detail: 'The row is not CSV.' };
  if (fields.length !== columns.length) {
    const detail = `The row has ${fields.length} columns where the header has ${columns.length}.`;
    return { reject: 'row_unreadable', detail };
  }
  return { columns: Object.fromEntries(columns.map((name, index) => [name, fields[index]])) };
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
