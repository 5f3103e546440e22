import type { IncomingMessage } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SourceError, unreadable } from '../source-error.js';

/** The codings that a reply may use, as the Accept-Encoding header names them. */
export const acceptedCodings = 'gzip, br';

/**
 * The body of a reply, decoded, chunk by chunk. Throws a SourceError once more than `maxBytes` were decoded, against
 * small replies that unpack to large ones, and for a coding that was not asked for.
 */
export async function* decodeBody(reply: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const decoder = createDecoder(reply.headers['content-encoding']);
  // The reader of the last stream gets the errors of both.
  const decoded = decoder === undefined ? reply : pipeline(reply, decoder, () => undefined);
  let bytes = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } finally {
    reply.destroy();
  }
}

/** Refuses a body over the limit by its stated length, before it is read. */
export function refuseLargeLength(reply: IncomingMessage, maxBytes: number): void {
  if (Number(reply.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** All of a body. */
export async function collectBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function createDecoder(coding = 'identity'): Transform | undefined {
  switch (coding.trim().toLowerCase()) {
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      throw unreadable('The server answered in a content coding that was not asked for.');
  }
}

function tooLarge(maxBytes: number): SourceError {
  return new SourceError(
    'upstream_too_large',
    `The reply is larger than ${maxBytes} bytes. Nothing of it is read; narrow the query, or ask why it grew.`,
  );
}
