import { randomBytes } from 'node:crypto';
import { type Server, createServer, IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { OperatorError } from '../../errors.js';
import { createCompressedCopies } from './send-reply.js';
import { createDispatch, type DispatchPorts } from './dispatch.js';
import { answerWhileStarting, refuseUnreadable } from './unread-request.js';
import type { Express } from 'express';

import { createUntrustedProxies, type UntrustedProxies } from '../../limits/untrusted-proxies.js';
import express, { type RequestHandler, type Response } from 'express';

/** A listening server. */
export interface HttpServer {
  /** Known once it listens. */
  readonly url: () => string;
  /**
   * Starts to listen, if it does not yet: early only where others cannot do its work, since a proxy in front takes
   * whoever listens. @throws OperatorError when the port is in use, saying what to do.
   */
  listen(): Promise<void>;
  /** Starts to answer. Until then it is alive, and every other request gets a 503 that the server is starting. */
  serve(ports: HttpPorts): Promise<void>;
  /** Where a proxy stands that forwards and is not trusted. */
  readonly findUntrustedProxy: UntrustedProxies['find'];
  /** True once `stop` was called. */
  isStopping(): boolean;
  /**
   * Answers until `drained`, asking each caller to close its connection; then accepts no new connection, lets running
   * requests finish, and ends within `graceMs` more at the latest.
   */
  stop(drained: Promise<unknown> | undefined, graceMs: number): Promise<void>;
}

export type HttpPorts = Omit<DispatchPorts, 'copies' | 'nextRequestId' | 'isStopping'>;

/**
 * Headers must arrive within 5 s and the request within 10 s, checked each second against slow sockets. Host is not
 * required, because no reply depends on it.
 */
const limits = {
  requireHostHeader: false,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 32_768,
};
/** Limit for an idle connection, such as a reader that stopped reading. Longer than a settlement takes. */
const idleConnectionMs = 90_000;
const compressedCopiesBytes = 64 * 1024 * 1024;

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  /** Addresses and ranges of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
}

/** Creates a server that does not listen yet. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  let stopping = false;
  let closing = false;
  /**
   * Replies under way with their connection. When a connection closes, Node notifies only the first of its replies, so
   * the others are ended here.
   */
  const running = new Map<Response, Socket>();
  const nextRequestId = createRequestIds();
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.set('trust proxy', options.trustedProxies);
  const trusts = app.get('trust proxy fn') as (peer: string, hop: number) => boolean;
  const proxies = createUntrustedProxies((peer) => trusts(peer, 0), performance.now.bind(performance));
  const server = createExpressServer(app, limits);
  server.setTimeout(idleConnectionMs);
  const ended = (response: Response): void => {
    if (running.delete(response) && closing && running.size === 0) server.closeAllConnections();
  };
  const runningOn = (socket: Socket) =>
    [...running].filter(([, each]) => each === socket).map(([response]) => response);
  server.on('connection', (socket) => socket.once('close', () => runningOn(socket).forEach(ended)));
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket;
    // An error text would be read as part of the reply under way.
    if (runningOn(socket).length > 0) socket.destroy();
    else refuseUnreadable(error, socket, nextRequestId());
  });
  // The request's reply answers Expect, so a body is refused before it is sent.
  for (const event of ['checkContinue', 'checkExpectation']) server.on(event, app);
  let dispatch: RequestHandler = (request, response) => answerWhileStarting(request, response, nextRequestId());
  app.use((request, response, next) => {
    running.set(response, request.socket);
    response.once('close', () => ended(response));
    const forwarded = request.headers['x-forwarded-for'];
    if (typeof forwarded === 'string') proxies.note(request.socket.remoteAddress ?? '', forwarded);
    return dispatch(request, response, next);
  });
  return {
    url() {
      const { port } = server.address() as AddressInfo;
      return `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
    },
    async listen() {
      if (!server.listening) await listen(server, options);
    },
    async serve(ports) {
      dispatch = await createDispatch({
        ...ports,
        copies: createCompressedCopies(compressedCopiesBytes),
        nextRequestId,
        isStopping: () => stopping,
      });
    },
    findUntrustedProxy: proxies.find,
    isStopping: () => stopping,
    async stop(drained, graceMs) {
      stopping = true;
      if (drained) await drained;
      closing = true;
      // Node's own close of an HTTP server cuts off replies that are not yet sent.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      // Connections without a complete request are not waited for.
      if (running.size === 0) server.closeAllConnections();
      const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(deadline);
      server.close(() => undefined); // stops the connection check
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

/**
 * Creates a generator of request ids, unique in this process and, by the random seed, across processes. A caller's id
 * is never used.
 */
function createRequestIds(): () => string {
  const seed = randomBytes(5).toString('hex');
  let count = 0;
  return () => `${seed}${(++count).toString(36).padStart(6, '0')}`;
}

/**
 * A node:http server for an express app. Requests and responses are created with the prototypes that express would
 * otherwise set on each of them, its most expensive step.
 */
export function createExpressServer(app: Express, options: ServerOptions): Server {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  app.request = adopt(ExpressRequest.prototype, app.request);
  app.response = adopt(ExpressResponse.prototype, app.response);
  return createServer({ ...options, IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse }, app);
}

/** Inserts express's prototype between the class's own and node's, and copies the app's members to the class's own. */
function adopt<Prototype extends object>(own: object, express: Prototype): Prototype {
  Object.defineProperties(own, Object.getOwnPropertyDescriptors(express));
  Object.setPrototypeOf(own, Object.getPrototypeOf(express) as object);
  // It now inherits every member of express's prototype.
  return own as Prototype;
}
