import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { concatBytes, wholeBytes, type Bytes } from '../../contract/rendered.js';
import type { OperationReply } from '../../operations/operation.js';
import { pagePolicy, staticHeaders } from './static-headers.js';

/** Media types that need an explicit UTF-8 charset; JSON does not. */
const isText = /^(text\/|application\/(javascript|yaml))/;

/**
 * Writes a reply; the only code that writes to the response. Resolves when the reply is handed over or the caller has
 * disconnected.
 */
export async function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: OperationReply,
  requestId: string,
  copies: CompressedCopies,
  closeConnection: boolean,
): Promise<void> {
  const { onDelivery } = reply;
  // Registered first, so that any later failure counts as not delivered.
  if (response.destroyed || response.socket === null) onDelivery?.(false);
  else if (onDelivery !== undefined) response.once('close', () => onDelivery(response.writableFinished));
  const coding = pickCoding(request, reply);
  // Node writes a list of names and values faster than the members of an object.
  const headers = completeHeaders(reply.headers, coding).concat('Request-Id', requestId);
  if (closeConnection) headers.push('Connection', 'close');
  let { body } = reply;
  if ((coding === 'br' || coding === 'gzip') && typeof body === 'object' && reply.cacheKey !== undefined)
    body = await copies.get(reply.cacheKey, coding, body);
  if (body !== undefined)
    headers.push('Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength));
  response.writeHead(reply.status, headers);
  writeBody(response, request.method === 'HEAD' ? undefined : body);
}

/** Corking sends all chunks in one system call, without copying them together. */
function writeBody(response: ServerResponse, body: Bytes | string | undefined): void {
  if (body === undefined || typeof body === 'string') return void response.end(body);
  const last = body.chunks.length - 1;
  if (last > 0) response.cork();
  for (let index = 0; index < last; index++) response.write(body.chunks[index]);
  response.end(body.chunks[last]);
  if (last > 0) response.uncork();
}

/** `whole`: sent as it is, whoever asks. `plain`: this caller reads no compressed copy. */
type Coding = Encoding | 'whole' | 'plain';

function pickCoding(request: IncomingMessage, { body, cacheKey }: OperationReply): Coding {
  if (body === undefined || typeof body === 'string' || cacheKey === undefined || body.byteLength < minCompressedBytes)
    return 'whole';
  return pickEncoding(request.headers['accept-encoding']) ?? 'plain';
}

/** Completed once for all replies that share their headers. */
const completed = new WeakMap<OperationReply['headers'], Partial<Record<Coding, readonly string[]>>>();

/** The headers of a reply with those of every reply, as names and values in turns. */
function completeHeaders(own: OperationReply['headers'], coding: Coding): readonly string[] {
  let known = completed.get(own);
  if (known === undefined) completed.set(own, (known = {}));
  const before = known[coding];
  if (before !== undefined) return before;
  const headers: Record<string, string> = { ...staticHeaders, ...own };
  const mediaType = own['Content-Type'] ?? '';
  if (mediaType === 'text/html') headers['Content-Security-Policy'] ??= pagePolicy;
  if (isText.test(mediaType)) headers['Content-Type'] = `${mediaType}; charset=utf-8`;
  if (coding !== 'whole')
    headers['Vary'] = own['Vary'] === undefined ? 'Accept-Encoding' : `${own['Vary']}, Accept-Encoding`;
  if (coding === 'br' || coding === 'gzip') {
    headers['Content-Encoding'] = coding;
    // Each encoding is a separate representation and needs its own strong ETag.
    if (own['ETag'] !== undefined) headers['ETag'] = own['ETag'].replace(/"$/, `-${coding}"`);
  }
  return (known[coding] = Object.entries(headers).flat());
}

/**
 * True when the caller has disconnected. Node does not report this to a reply queued behind another one on its
 * connection.
 */
export function isHungUp(exchange: { readonly request: IncomingMessage; readonly response: ServerResponse }): boolean {
  const { socket } = exchange.request;
  return exchange.response.destroyed || socket.destroyed || !socket.writable;
}

const compressors = {
  br: (body: Uint8Array) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: promisify<Uint8Array, Buffer>(gzip),
} as const;

type Encoding = keyof typeof compressors;

/** Smaller bodies are not worth compressing. */
const minCompressedBytes = 1400;

/** Compressed copies of replies, compressed once per reply and off the main thread. */
export interface CompressedCopies {
  get(cacheKey: string, encoding: Encoding, body: Bytes): Promise<Bytes>;
}

export function createCompressedCopies(maxBytes: number): CompressedCopies {
  const copies = new LRUCache<string, Promise<Bytes>>({ maxSize: maxBytes, sizeCalculation: () => 1 });
  return {
    get(cacheKey, encoding, body) {
      const key = `${encoding} ${cacheKey}`;
      const known = copies.get(key);
      if (known !== undefined) return known;
      const made = compressors[encoding](concatBytes(body)).then(wholeBytes);
      // A copy is about a fifth of its reply. Its exact size is known only after compression.
      copies.set(key, made, { size: Math.max(1, Math.ceil(body.byteLength / 4)) });
      made.catch(() => copies.delete(key));
      return made;
    },
  };
}

/** The best encoding that an Accept-Encoding header allows; undefined for none. */
export function pickEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const allowed = new Set(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .map((each) => each.trim().split(/\s*;\s*/))
      .filter(([, quality]) => quality === undefined || !/^q=0(\.0*)?$/.test(quality))
      .map(([name]) => name),
  );
  return (['br', 'gzip'] as const).find((encoding) => allowed.has(encoding));
}
