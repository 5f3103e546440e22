import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressKey, createRateLimiter } from '../../limits/rate-limiter.js';

export interface Shown {
  readonly status?: number;
  readonly mediaType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OperatorPortOptions {
  readonly host: string;
  readonly port: number;
  /** Who has it may look. Undefined: whoever is on this machine. */
  readonly token: string | undefined;
}

const headers = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
const triesPerMinute = 10;
const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/;
const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Serves what the operator sees, by path, on a port of its own; nothing can be changed there. Without a token Host must
 * be a name of this machine, so that no page of another site reads it. Rejects where it cannot listen.
 */
export async function openOperatorPort(
  { host, port, token }: OperatorPortOptions,
  shows: (path: string) => Promise<Shown | undefined>,
) {
  const tries = createRateLimiter(
    { name: 'operator', callsPerMinute: triesPerMinute, detail: 'Too many wrong tokens.' },
    performance.now.bind(performance),
  );
  const wanted = token === undefined ? undefined : digest(token);

  function refuse({ headers: asked, socket, method }: IncomingMessage): Shown | undefined {
    if (method !== 'GET' && method !== 'HEAD') return text(405, 'Use GET.');
    if (wanted === undefined) return loopback.test(asked.host ?? '') ? undefined : text(403, 'Ask by a loopback name.');
    const address = addressKey(socket.remoteAddress ?? '');
    if (tries.check(address) !== undefined) return text(429, 'Too many wrong tokens.');
    if (timingSafeEqual(digest(readToken(asked.authorization ?? '')), wanted)) return undefined;
    tries.take(address);
    return text(401, 'A token is needed.');
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const shown = refuse(request) ?? (await shows(path)) ?? text(404, 'Nothing is here.');
    const { status = 200, mediaType, body } = shown;
    if (status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="operator", Bearer');
    response.writeHead(status, {
      ...headers,
      ...shown.headers,
      'Content-Type': mediaType,
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500, headers);
      response.end();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function text(status: number, body: string): Shown {
  return { status, mediaType: 'text/plain; charset=utf-8', body: `${body}\n` };
}

/** Of `Bearer` the rest, of `Basic` the password. */
function readToken(authorization: string): string {
  const [scheme = '', value = ''] = authorization.split(' ');
  if (scheme.toLowerCase() === 'bearer') return value;
  return Buffer.from(value, 'base64').toString('utf8').split(':').slice(1).join(':');
}
