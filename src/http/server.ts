import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import express, { type RequestHandler } from 'express';
import { OperatorError, type Reason } from '../errors.js';
import { createCompressedCopies } from './compressed-copies.js';
import { createDispatch, type DispatchPorts } from './dispatch.js';
import { createExpressServer } from './express-server.js';
import { createRequestIds } from './request-id.js';

/** A listening server. */
export interface HttpServer {
  readonly url: string;
  /** Begins to answer; until then every request is told that the server is starting (503). */
  serve(ports: HttpPorts): Promise<void>;
  /** Takes no new connection, lets running requests finish, and ends within the given time at the latest. */
  stop(graceMs: number): Promise<void>;
}

export type HttpPorts = Omit<DispatchPorts, 'copies' | 'nextRequestId' | 'isStopping'>;

/** Headers must be there within 5 s and the request within 10 s; checked each second, so that slow sockets are gone by then. */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 32_768,
};
/** A connection on which nothing moves, such as a reader that stopped reading. Longer than a settlement takes. */
const idleConnectionMs = 90_000;
const compressedCopiesBytes = 64 * 1024 * 1024;

/** Listens. @throws OperatorError when the port is taken, saying what to do. */
export async function startHttpServer(address: { host: string; port: number }): Promise<HttpServer> {
  let stopping = false;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  const server = createExpressServer(app, limits);
  server.setTimeout(idleConnectionMs);
  server.on('clientError', refuseUnreadable);
  let dispatch: RequestHandler = (_request, response) => {
    response
      .writeHead(503, { 'Retry-After': '1', 'Content-Type': 'application/problem+json' })
      .end(problemText(503, 'Starting', 'temporarily_unavailable'));
  };
  app.use((request, response, next) => dispatch(request, response, next));
  await listen(server, address);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`,
    async serve(ports) {
      dispatch = await createDispatch({
        ...ports,
        copies: createCompressedCopies(compressedCopiesBytes),
        nextRequestId: createRequestIds(),
        isStopping: () => stopping,
      });
    },
    async stop(graceMs) {
      stopping = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(deadline);
    },
  };
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new OperatorError(`Port ${port} on ${host} is taken. Stop what listens there, or choose another with PORT.`)
          : error,
      ),
    );
    server.listen(port, host, resolve);
  });
}

/** Answers what is no HTTP request that Node can read, in the shape of every other error. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || socket.destroyed) return;
  const [status, title, reason]: [string, string, Reason] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large', 'payload_too_large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long', 'temporarily_unavailable']
        : ['400 Bad Request', 'Not a readable HTTP request', 'invalid_parameter'];
  const body = problemText(Number(status.slice(0, 3)), title, reason);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nCache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** An error for requests that no operation ever saw. */
function problemText(status: number, title: string, reason: Reason): string {
  return JSON.stringify({
    type: `/docs#${reason}`,
    title,
    status,
    detail: `${title}.`,
    instance: 'urn:request:unread',
    reason,
    billed: false,
    payment: 'none',
    retryable: status >= 500,
    retry_same_payment: false,
    request_id: 'unread',
    errors: [],
    next: [],
  });
}
