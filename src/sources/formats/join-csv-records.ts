import { type FileRow, maxRowBytes, refuseLargeRow, refuseRow } from './file-row.js';
import type { Line } from '../read/read-lines.js';
import { type QuoteState, scanQuotes } from '../read/scan-quotes.js';

/** The bytes of one whole CSV record, or the rejection of one line. */
export type CsvRecord = FileRow | { readonly bytes: Buffer; readonly end: number };

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
    const [first, ...rest] = pending;
    replay.push(...rest.reverse());
    pending = [];
    pendingBytes = 0;
    return first === undefined ? [] : [refuseLine(first, tooLarge)];
  }

  function* take(line: Line): Generator<CsvRecord> {
    const size = pendingBytes + (line.bytes?.length ?? Infinity);
    const state: QuoteState =
      line.bytes === undefined || size > maxRowBytes ? 'broken' : scanQuotes(line.bytes, delimiter, pending.length > 0);
    if (state === 'broken' && pending.length > 0) {
      replay.push(line);
      yield* giveUpFirst(size > maxRowBytes);
    } else if (state === 'broken') {
      yield refuseLine(line, line.bytes === undefined);
    } else {
      pending.push(line);
      pendingBytes = size;
      if (state === 'open') return;
      yield { bytes: Buffer.concat(pending.flatMap(({ bytes }) => bytes ?? [])), end: line.end };
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

function refuseLine({ end }: Line, tooLarge: boolean): FileRow {
  if (tooLarge) return refuseLargeRow(end);
  return refuseRow('row_unreadable', 'The quotes of the row do not follow RFC 4180.', end);
}
