import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import express, { type RequestHandler, type Response } from 'express';
import { OperatorError } from '../../errors.js';
import { createCompressedCopies } from './compressed-copies.js';
import { createDispatch, type DispatchPorts } from './dispatch.js';
import { createExpressServer } from './express-server.js';
import { createRequestIds } from './request-id.js';
import { refuseUnreadable, refuseWhileStarting } from './unread-request.js';

/** A listening server. */
export interface HttpServer {
  readonly url: string;
  /** Begins to answer; until then every request is told that the server is starting (503). */
  serve(ports: HttpPorts): Promise<void>;
  /** Takes no new connection, lets running requests finish, and ends within the given time at the latest. */
  stop(graceMs: number): Promise<void>;
}

export type HttpPorts = Omit<DispatchPorts, 'copies' | 'nextRequestId' | 'isStopping'>;

/**
 * Headers must be there within 5 s and the request within 10 s; checked each second, so that slow sockets are gone by
 * then. No reply depends on Host, so that nothing is asked of it.
 */
const limits = {
  requireHostHeader: false,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 32_768,
};
/** A connection on which nothing moves, such as a reader that stopped reading. Longer than a settlement takes. */
const idleConnectionMs = 90_000;
const compressedCopiesBytes = 64 * 1024 * 1024;

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  /** Addresses and ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
}

/** Listens. @throws OperatorError when the port is taken, saying what to do. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  let stopping = false;
  /**
   * Replies that are not out yet, with their connection, which ends all of its own: Node tells the first of them alone.
   */
  const running = new Map<Response, Socket>();
  const nextRequestId = createRequestIds();
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.set('trust proxy', options.trustedProxies);
  const server = createExpressServer(app, limits);
  server.setTimeout(idleConnectionMs);
  const ended = (response: Response): void => {
    if (running.delete(response) && stopping && running.size === 0) server.closeAllConnections();
  };
  const runningOn = (socket: Socket) =>
    [...running].filter(([, each]) => each === socket).map(([response]) => response);
  server.on('connection', (socket) => socket.once('close', () => runningOn(socket).forEach(ended)));
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket;
    // What would be said stood in the place of the reply that is under way.
    if (runningOn(socket).length > 0) socket.destroy();
    else refuseUnreadable(error, socket, nextRequestId());
  });
  // What a request expects is answered by its reply: a body is refused before it is sent.
  for (const event of ['checkContinue', 'checkExpectation']) server.on(event, app);
  let dispatch: RequestHandler = (_request, response) => refuseWhileStarting(response, nextRequestId());
  app.use((request, response, next) => {
    running.set(response, request.socket);
    response.once('close', () => ended(response));
    return dispatch(request, response, next);
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    async serve(ports) {
      dispatch = await createDispatch({
        ...ports,
        copies: createCompressedCopies(compressedCopiesBytes),
        nextRequestId,
        isStopping: () => stopping,
      });
    },
    async stop(graceMs) {
      stopping = true;
      // Not Node's own close of an HTTP server: that cuts off replies that are made but not yet out.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      // Whoever has sent no request, or half of one, is not waited for.
      if (running.size === 0) server.closeAllConnections();
      const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(deadline);
      server.close(() => undefined); // ends the checking of connections
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
