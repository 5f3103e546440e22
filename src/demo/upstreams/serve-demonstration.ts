import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { localDateIn } from '../../places/metros/local-date-of.js';
import { SourceError } from '../../sources/source-error.js';
import type { SendRequest } from '../../sources/upstream/send-request.js';
import { demonstrationKey, type DemoUpstream } from './demo-upstream.js';
import { createDemoUpstreams } from './demo-upstreams.js';

/** The servers of the demonstration. */
export interface ServedDemonstration {
  /** Sends a request to one of them, and to nobody else: any other host is refused. */
  readonly send: SendRequest;
  /** The key that some of them want, by the name that their source gives it. */
  readonly readSecret: (name: string) => string | undefined;
  close(): Promise<void>;
}

/**
 * Serves the fictional counties, a mock server for HUD, and the listing service whose offers lie in a directory, on a
 * free port of the loopback address, from the first request on. They are reached under names that exist nowhere,
 * through `send` only, so what guards the requests to real servers knows no exception.
 */
export function serveDemonstration(directory: string, now: () => Date): ServedDemonstration {
  const upstreams = new Map(createDemoUpstreams(directory).map((upstream) => [upstream.host, upstream]));
  let serving: Promise<Server> | undefined;
  return {
    send: async ({ url, headers, idleMs, signal }) => {
      if (!upstreams.has(url.host))
        throw new SourceError('address_forbidden', `${url.host} is no server of the demonstration.`);
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
    readSecret: (name) => (name === demonstrationKey.name ? demonstrationKey.value : undefined),
    async close() {
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
    // A command that is done need not wait for it.
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
  // They live in the time of the demonstration, and sources go by the clock of a server.
  response.setHeader('date', now.toUTCString());
  const url = new URL(request.url ?? '/', `http://${host}`);
  if (url.pathname === '/robots.txt') return void response.end('User-agent: *\nAllow: /\n');
  const day = localDateIn(upstream.timeZone, now);
  const { status = 200, headers = {}, body } = upstream.answer({ url, headers: request.headers, day });
  response.writeHead(status, headers).end(body);
}
