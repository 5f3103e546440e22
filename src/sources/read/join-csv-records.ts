import { type FileRow, maxRowBytes, tooLargeRow } from './read-lines.js';

/** The bytes of one whole CSV record, or the rejection of one line. */
export type CsvRecord = FileRow | Buffer;

/** Undefined when the line is too large. */
type Line = Buffer | undefined;

/**
 * Joins lines into CSV records: a quoted field may span several lines. A record that breaks the quoting rules, or does
 * not end within 256 kB or the file, rejects only its first line. The lines after it are read again, so that one bad
 * quote costs no neighboring row.
 */
export async function* joinCsvRecords(lines: AsyncIterable<Line>, delimiter: number): AsyncGenerator<CsvRecord> {
  const replay: Line[] = [];
  let pending: Line[] = [];
  let pendingBytes = 0;

  function giveUpFirst(tooLarge: boolean): CsvRecord[] {
    const rest = pending.slice(1);
    const given = pending.length === 0 ? [] : [tooLarge ? tooLargeRow : badQuotes];
    replay.push(...rest.reverse());
    pending = [];
    pendingBytes = 0;
    return given;
  }

  function* take(line: Line): Generator<CsvRecord> {
    const size = pendingBytes + (line?.length ?? Infinity);
    const state: QuoteState =
      line === undefined || size > maxRowBytes ? 'broken' : scanQuotes(line, delimiter, pending.length > 0);
    if (state === 'broken' && pending.length > 0) {
      replay.push(line);
      yield* giveUpFirst(size > maxRowBytes);
    } else if (state === 'broken') {
      yield line === undefined ? tooLargeRow : badQuotes;
    } else {
      pending.push(line);
      pendingBytes = size;
      if (state === 'open') return;
      yield Buffer.concat(pending.flatMap((bytes) => bytes ?? []));
      pending = [];
      pendingBytes = 0;
    }
  }

  function* takeReplayed(): Generator<CsvRecord> {
    for (let line = replay.pop(); line !== undefined; line = replay.pop()) yield* take(line);
  }

  for await (const line of lines) {
    yield* take(line);
    yield* takeReplayed();
  }
  while (pending.length > 0) {
    yield* giveUpFirst(false);
    yield* takeReplayed();
  }
}

const badQuotes: FileRow = { reject: 'row_unreadable', detail: 'The quotes of the row do not follow RFC 4180.' };

/**
 * How a text stands after some lines of CSV: at a record's end, inside a quoted field, or outside the rules of RFC
 * 4180.
 */
type QuoteState = 'complete' | 'open' | 'broken';

const quote = 0x22;

/**
 * Follows the quotes of one line of a CSV record, given whether the record was inside a quoted field before it. A quote
 * may open only at the start of a field, and only a delimiter, a line end or a second quote may follow the closing one.
 */
function scanQuotes(line: Buffer, delimiter: number, wasOpen: boolean): QuoteState {
  if (!wasOpen && line.indexOf(quote) === -1) return 'complete';
  let place: 'start' | 'plain' | 'quoted' | 'closed' = wasOpen ? 'quoted' : 'start';
  for (const byte of line) {
    if (place === 'quoted') {
      if (byte === quote) place = 'closed';
    } else if (byte === quote) {
      if (place === 'plain') return 'broken';
      place = 'quoted';
    } else if (byte === delimiter) place = 'start';
    else if (byte === 0x0a || byte === 0x0d) continue;
    else if (place === 'closed') return 'broken';
    else place = 'plain';
  }
  return place === 'quoted' ? 'open' : 'complete';
}
