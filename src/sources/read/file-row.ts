import type { RejectReason } from '../source.js';

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
