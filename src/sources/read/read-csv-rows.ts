import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { countMapped, type FoundHeader, isHeader, readHeader, type WantedColumns } from './column-names.js';
import { decodeUtf8, type FileRow, maxRowBytes, readLines } from './read-lines.js';
import { joinCsvRecords } from './join-csv-records.js';
import { unreadable } from '../source-error.js';

export type Delimiter = ',' | ';' | '\t' | '|';

export interface CsvShape extends WantedColumns {
  /** Where it is not given, the header tells it. */
  readonly delimiter: Delimiter | undefined;
}

const delimiters: readonly Delimiter[] = [',', ';', '\t'];
/** The header is looked for in so many lines; above it may stand titles, and `sep=;`. */
const maxLinesToHeader = 50;

/** A header with its place in the file. */
interface CsvHeader extends FoundHeader {
  readonly delimiter: Delimiter;
  /** Lines behind it that were read already. */
  readonly ahead: readonly (Buffer | undefined)[];
}

/**
 * The rows of a CSV file (RFC 4180) behind its header line. csv-parse reads the fields of a record; where a record ends
 * is decided by `joinCsvRecords`, record by record, so that a bad one harms only itself. The last line end may be
 * missing, and so may empty fields of a row behind the last column.
 *
 * @throws SourceError `delivery_unreadable` when the header lacks a required column or names a mapped one twice
 */
export async function* readCsvRows(path: string, shape: CsvShape): AsyncGenerator<FileRow> {
  const stream = createReadStream(path);
  try {
    const lines = readLines(stream, maxRowBytes);
    const { columns, delimiter, ahead } = await findHeader(lines, shape);
    for await (const record of joinCsvRecords(chain(ahead, lines), delimiter.charCodeAt(0))) {
      if (!Buffer.isBuffer(record)) yield record;
      else if (!isBlank(record)) yield parseRecord(record, columns, delimiter);
    }
  } finally {
    stream.destroy();
  }
}

/** The columns that the header of a CSV file names, in the file's own spelling. Errors: see `readCsvRows`. */
export async function readCsvColumns(path: string, shape: CsvShape): Promise<readonly string[]> {
  const stream = createReadStream(path);
  try {
    return (await findHeader(readLines(stream, maxRowBytes), shape)).written;
  } finally {
    stream.destroy();
  }
}

/** The first line that is a header by any delimiter; where none is, the first one is read as such. */
async function findHeader(lines: AsyncIterator<Buffer | undefined>, shape: CsvShape): Promise<CsvHeader> {
  const read: (Buffer | undefined)[] = [];
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    const found = splitHeader(line.value, shape);
    if (isHeader(found.fields, shape)) return { ...readHeader(found.fields, shape), ...found, ahead: [] };
    if (read.push(line.value) >= maxLinesToHeader) break;
  }
  if (read.length === 0) throw unreadable('The file has no header line. Deliver the column names in the first line.');
  const [first, ...ahead] = read;
  const found = splitHeader(first, shape);
  return { ...readHeader(found.fields, shape), ...found, ahead };
}

/** A line by the delimiter that separates the most mapped columns. */
function splitHeader(line: Buffer | undefined, shape: CsvShape) {
  const candidates = shape.delimiter === undefined ? delimiters : [shape.delimiter];
  const splits = candidates.map((delimiter) => {
    const fields = (line && readFields(line, delimiter)) ?? [];
    return { delimiter, fields, matches: countMapped(fields, shape) };
  });
  return splits.reduce((best, split) => (split.matches > best.matches ? split : best));
}

async function* chain(ahead: readonly (Buffer | undefined)[], lines: AsyncIterable<Buffer | undefined>) {
  yield* ahead;
  yield* lines;
}

function parseRecord(bytes: Buffer, columns: readonly string[], delimiter: Delimiter): FileRow {
  if (decodeUtf8(bytes) === undefined) return { reject: 'wrong_encoding', detail: 'The row is not valid UTF-8.' };
  const fields = readFields(bytes, delimiter);
  if (fields === undefined) return { reject: 'row_unreadable', detail: 'The row is not CSV.' };
  return toColumns(fields, columns);
}

/** A row's fields under their columns. Empty ones behind the last column are dropped; other ones are a fault. */
export function toColumns(fields: readonly unknown[], columns: readonly string[]): FileRow {
  const count = fields.findLastIndex((field, index) => index < columns.length || String(field).trim() !== '') + 1;
  if (count === columns.length) return { columns: Object.fromEntries(columns.map((name, at) => [name, fields[at]])) };
  const detail = `The row has ${count} columns where the header has ${columns.length}.`;
  return { reject: 'row_unreadable', detail };
}

function readFields(bytes: Buffer, delimiter: Delimiter): readonly string[] | undefined {
  try {
    const records: string[][] = parse(bytes, { delimiter, bom: true, relax_column_count: true });
    return records[0];
  } catch {
    return undefined;
  }
}

/** A line without a value in any field. */
function isBlank(bytes: Buffer): boolean {
  return !/[^\s,;|]/.test(bytes.toString('latin1'));
}
