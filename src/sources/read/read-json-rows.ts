import { createReadStream } from 'node:fs';
import { type FileRow, maxRowBytes, createSliceBuffer } from './read-lines.js';
import { parseJsonRow } from './read-ndjson-rows.js';
import { SourceError, unreadable } from '../source-error.js';

const code = {
  quote: 0x22,
  comma: 0x2c,
  open: 0x5b,
  escape: 0x5c,
  close: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/**
 * The elements of a file that holds one JSON array. Only the array's own structure is followed here, so memory is
 * bounded by one element. Throws SourceError when the array is cut off (`delivery_incomplete`), is no array, or goes on
 * after its end (`delivery_unreadable`).
 */
export async function* readJsonRows(path: string): AsyncGenerator<FileRow> {
  const partial = createSliceBuffer(maxRowBytes);
  const scan = createScanner();
  let blank = true;
  for await (const chunk of createReadStream(path)) {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      const seen = scan.step(byte);
      if (seen === 'inside') {
        blank &&= blanks.has(byte);
        continue;
      }
      if (seen === 'separator' || (seen === 'finish' && !(blank && scan.elements() === 0))) {
        partial.add(chunk.subarray(from, at));
        yield parseJsonRow(partial.take());
      }
      from = at + 1;
      blank = true;
    }
    if (scan.isInside()) partial.add(chunk.subarray(from));
  }
  if (scan.isFinished()) return;
  throw new SourceError(
    'delivery_incomplete',
    'The JSON array is cut off before its closing bracket. Repeat the delivery.',
  );
}

type Seen = 'inside' | 'separator' | 'finish' | 'outside';

/** Follows the structure of one array byte by byte. ASCII bytes never occur within a longer UTF-8 sequence. */
function createScanner() {
  let place: 'before' | 'inside' | 'after' = 'before';
  let depth = 0;
  let elements = 0;
  let inString = false;
  let escaped = false;

  function stepInString(byte: number): Seen {
    if (escaped) escaped = false;
    else if (byte === code.escape) escaped = true;
    else if (byte === code.quote) inString = false;
    return 'inside';
  }

  function stepInside(byte: number): Seen {
    if (byte === code.quote) inString = true;
    else if (byte === code.open || byte === code.openBrace) depth += 1;
    else if (byte === code.comma && depth === 0) {
      elements += 1;
      return 'separator';
    } else if (byte === code.close && depth === 0) {
      place = 'after';
      return 'finish';
    } else if (byte === code.close || byte === code.closeBrace) depth -= 1;
    return 'inside';
  }

  return {
    elements: () => elements,
    isInside: () => place === 'inside',
    isFinished: () => place === 'after',
    step(byte: number): Seen {
      if (place === 'inside') return inString ? stepInString(byte) : stepInside(byte);
      if (place === 'before' && byte === code.open) place = 'inside';
      else if (!blanks.has(byte)) throw notAnArray();
      return 'outside';
    },
  };
}

function notAnArray(): SourceError {
  return unreadable('The file does not hold exactly one JSON array of objects. Deliver one array, or use ndjson.');
}
