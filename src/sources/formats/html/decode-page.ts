import { TextDecoder } from 'node:util';
import type { UpstreamReply } from '../../upstream/upstream.js';

/** How much of a page browsers look through for its encoding. */
const headBytes = 1024;

/**
 * The text of a page in the encoding that its Content-Type header names, or else its own `<meta>`; UTF-8 where neither
 * names one that is known. What is not of that encoding becomes U+FFFD, which no parser of values takes.
 */
export function decodePage({ headers, body }: Pick<UpstreamReply, 'headers' | 'body'>): string {
  const head = body.subarray(0, headBytes).toString('latin1');
  const meta = /<meta\s[^>]*?\bcharset\s*=[^>]*>/i.exec(head)?.[0];
  const decoder = createDecoder(headers['content-type']) ?? createDecoder(meta) ?? new TextDecoder();
  // Node 20 takes windows-1252 for ISO 8859-1 where a text is decoded at once, and so loses its dashes and quotes.
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
