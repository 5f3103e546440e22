import type { RejectReason } from '../source.js';

/**
 * The lines of a stream, each with its LF, which the last may lack; undefined for one that is larger than the limit.
 * Memory stays bounded whatever the length of a line.
 */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  limitBytes: number,
): AsyncGenerator<Buffer | undefined> {
  const partial = createSliceBuffer(limitBytes);
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      partial.add(chunk.subarray(from, at + 1));
      from = at + 1;
      yield partial.take();
    }
    partial.add(chunk.subarray(from));
  }
  const rest = partial.take();
  if (rest?.length !== 0) yield rest;
}

/**
 * Creates a buffer that collects the bytes of one row, up to `limitBytes`. Beyond it the bytes are only counted, so
 * that memory stays bounded.
 */
export function createSliceBuffer(limitBytes: number) {
  let parts: Buffer[] = [];
  let length = 0;
  return {
    add(part: Buffer): void {
      length += part.length;
      if (length > limitBytes) parts = [];
      else parts.push(part);
    },
    /** Returns the collected bytes and starts again; undefined when they were over the limit. */
    take(): Buffer | undefined {
      const taken = length > limitBytes ? undefined : Buffer.concat(parts);
      parts = [];
      length = 0;
      return taken;
    },
  };
}

/** 256 kB: the largest accepted row of a file; a larger one is rejected as `row_too_large`. */
export const maxRowBytes = 256 * 1024;

/** One row of a file: either its columns, or why it is unreadable. */
export type FileRow =
  { readonly columns: Readonly<Record<string, unknown>> } | { readonly reject: RejectReason; readonly detail: string };

/** The rejection of a row over the limit. */
export const tooLargeRow: FileRow = { reject: 'row_too_large', detail: 'The row is larger than 256 kB.' };

/** Decodes valid UTF-8, without a leading byte order mark; undefined when the bytes are not valid. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
