import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError, type Reason } from '../../errors.js';
import { problemBody } from '../../operations/problem.js';
import { staticHeaders } from './static-headers.js';

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly reason: Reason;
}

/** Time limit for a caller that does not close its side. */
const lingerMs = 1_000;

/** Answers an unreadable HTTP request with the usual error shape, and closes the connection. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (!socket.writable || socket.destroyed) return;
  const { status, headers, body } = createRefusal(kindOf(error.code), requestId);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Answers a request that arrived before the server was ready: that it is alive, and nothing else. */
export function answerWhileStarting({ url }: IncomingMessage, response: ServerResponse, requestId: string): void {
  if (url === '/healthz') {
    response.setHeader('Content-Type', 'application/json').end('{"status":"alive"}');
    return;
  }
  const starting: Refusal = { status: 503, title: 'Starting', reason: 'temporarily_unavailable' };
  const { status, headers, body } = createRefusal(starting, requestId);
  response.writeHead(status, { ...headers, 'Retry-After': '1' }).end(body);
}

function kindOf(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, title: 'Request header fields too large', reason: 'payload_too_large' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, title: 'Request timeout', reason: 'temporarily_unavailable' };
    default:
      return { status: 400, title: 'Not a readable HTTP request', reason: 'invalid_parameter' };
  }
}

function createRefusal({ status, title, reason }: Refusal, requestId: string) {
  const problem = problemBody(new ServiceError(reason, `${title}.`), requestId);
  const body = JSON.stringify({ ...problem, status, title });
  const headers = {
    ...staticHeaders,
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'Content-Length': String(Buffer.byteLength(body)),
    'Request-Id': requestId,
  };
  return { status, headers, body };
}
