import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationReply } from '../operations/operation.js';
import { minCompressedBytes, pickEncoding, type CompressedCopies } from './compressed-copies.js';
import { pagePolicy, staticHeaders } from './static-headers.js';

/** Writes a reply; the only place that touches the response. Resolves when the reply is handed over, or its caller gone. */
export async function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: OperationReply,
  requestId: string,
  copies: CompressedCopies,
  closeConnection: boolean,
): Promise<void> {
  const headers: Record<string, string | number> = { ...staticHeaders, ...reply.headers, 'Request-Id': requestId };
  if (closeConnection) headers['Connection'] = 'close';
  if (headers['Content-Type'] === 'text/html') headers['Content-Security-Policy'] = pagePolicy;
  const body = await encodeBody(request, reply, headers, copies);
  if (body !== undefined) headers['Content-Length'] = body.length;
  if (reply.onDelivery !== undefined) watchDelivery(response, reply.onDelivery);
  response.writeHead(reply.status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function encodeBody(
  request: IncomingMessage,
  reply: OperationReply,
  headers: Record<string, string | number>,
  copies: CompressedCopies,
): Promise<Uint8Array | undefined> {
  const { body, cacheKey } = reply;
  if (body === undefined || cacheKey === undefined || body.length < minCompressedBytes) return body;
  headers['Vary'] = 'Accept-Encoding';
  const encoding = pickEncoding(request.headers['accept-encoding']);
  if (encoding === undefined) return body;
  headers['Content-Encoding'] = encoding;
  // Another encoding is another representation: a strong tag must tell them apart.
  if (typeof headers['ETag'] === 'string') headers['ETag'] = headers['ETag'].replace(/"$/, `-${encoding}"`);
  return copies.get(cacheKey, encoding, body);
}

function watchDelivery(response: ServerResponse, onDelivery: (completed: boolean) => void): void {
  if (response.destroyed || response.socket === null) onDelivery(false);
  else response.once('close', () => onDelivery(response.writableFinished));
}
