import { TextDecoder } from 'node:util';
import type { UpstreamReply } from '../../upstream/upstream.js';

/** Number of bytes in which browsers search for the encoding. */
const headBytes = 1024;

/**
 * Decodes a page by the encoding in its Content-Type header, else in its `<meta>`, else as UTF-8. Invalid bytes become
 * U+FFFD, which every value parser rejects.
 */
export function decodePage({ headers, body }: Pick<UpstreamReply, 'headers' | 'body'>): string {
  const head = body.subarray(0, headBytes).toString('latin1');
  const meta = /<meta\s[^>]*?\bcharset\s*=[^>]*>/i.exec(head)?.[0];
  const decoder = createDecoder(headers['content-type']) ?? createDecoder(meta) ?? new TextDecoder();
  // Node 20 decodes windows-1252 as ISO 8859-1 in one-shot mode, losing dashes and quotes.
  return decoder.decode(body, { stream: true }) + decoder.decode();
}

function createDecoder(text = ''): TextDecoder | undefined {
  const label = /\bcharset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}
