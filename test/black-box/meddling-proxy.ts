import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask, type RawReply } from '../support/raw-http.js';

/** What a faulty server does to a request, given how it is done well. */
export type Meddle = (request: IncomingMessage, forward: (path?: string) => Promise<RawReply>) => Promise<RawReply>;

/** A mock server for a server with a fault: it answers as another does, but for what `meddle` makes of it. */
export async function startMeddlingProxy(baseUrl: string, meddle: Meddle) {
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    const { host: _, connection: __, ...given } = request.headers;
    // No request here repeats a header.
    const headers = { ...given, 'accept-encoding': 'identity' } as unknown as Record<string, string>;
    const forward = (path = url) => ask(baseUrl, path, { method, headers });
    meddle(request, forward).then(
      (reply) => {
        const { 'transfer-encoding': ___, ...kept } = reply.headers;
        response.writeHead(reply.status, { ...kept, 'content-length': reply.body.length });
        response.end(method === 'HEAD' ? undefined : reply.body);
      },
      (error: unknown) => response.destroy(error as Error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
