import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { localDateOf } from '../../places/metros/local-date-of.js';
import { SourceError } from '../../sources/source-error.js';
import type { RequestToSend } from '../../sources/upstream/send-request.js';
import { createDemoUpstreams } from './demo-upstreams.js';
import { demonstrationKey, type DemoUpstream } from './mock-server.js';

/**
 * Serves the mock servers of the demonstration on a free port of the loopback address, from the first request on. They
 * have hosts that do not exist and are reached only through `send`, so the guards of requests to real servers need no
 * exception.
 */
export function serveDemonstration(directory: string, now: () => Date) {
  const upstreams = new Map(createDemoUpstreams(directory).map((upstream) => [upstream.host, upstream]));
  let serving: Promise<Server> | undefined;
  return {
    /** Sends a request to one of them; rejects any other host. */
    send: async ({ url, headers, idleMs, signal }: RequestToSend): Promise<IncomingMessage> => {
      if (!upstreams.has(url.host))
        throw new SourceError('address_forbidden', `${url.host} is not a server of the demonstration.`);
      serving ??= listen((request, response) => answer(upstreams, request, response, now()));
      const { port } = (await serving).address() as AddressInfo;
      return new Promise((resolve, reject) => {
        const path = `${url.pathname}${url.search}`;
        const options = { host: '127.0.0.1', port, path, headers: { ...headers, host: url.host }, signal };
        const request = requestHttp(options);
        request.setTimeout(idleMs, () => request.destroy(new Error('No byte came for too long.')));
        request.on('response', resolve).on('error', reject).end();
      });
    },
    /** The key that some of them require, by the name in their entry. */
    readSecret: (name: string): string | undefined =>
      name === demonstrationKey.name ? demonstrationKey.value : undefined,
    async close(): Promise<void> {
      const server = await serving;
      if (server === undefined) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(onRequest: RequestListener): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onRequest);
    // A finished command need not wait for it.
    server.unref();
    server.on('error', reject).listen(0, '127.0.0.1', () => resolve(server));
  });
}

function answer(
  upstreams: ReadonlyMap<string, DemoUpstream>,
  request: IncomingMessage,
  response: ServerResponse,
  now: Date,
): void {
  const { host = '' } = request.headers;
  const upstream = upstreams.get(host);
  if (upstream === undefined) return void response.writeHead(404).end();
  // The mock servers use the demonstration's time, and sources rely on a server's clock.
  response.setHeader('date', now.toUTCString());
  const url = new URL(request.url ?? '/', `http://${host}`);
  if (url.pathname === '/robots.txt') return void response.end('User-agent: *\nAllow: /\n');
  const day = localDateOf(upstream.countyFips, now);
  const { status = 200, headers = {}, body } = upstream.answer({ url, headers: request.headers, day });
  response.writeHead(status, headers).end(body);
}
