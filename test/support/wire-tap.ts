import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy between a client and the service that records their traffic. */
export interface WireTap {
  readonly url: string;
  /** The observed payments, in order. */
  readonly signatures: readonly string[];
  close(): Promise<void>;
}

/** The handling of a request: by default it is sent once. A duplicating network sends it more often. */
export type Forward = (send: () => Promise<Response>, isPaid: boolean) => Promise<Response>;

/** Starts a tap in front of a server. */
export async function startWireTap(target: string, forward: Forward = (send) => send()): Promise<WireTap> {
  const signatures: string[] = [];
  const server = createServer((request, response) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === 'string' && name !== 'host' && name !== 'connection') headers.set(name, value);
    }
    const signature = headers.get('PAYMENT-SIGNATURE');
    if (signature !== null) signatures.push(signature);
    const send = () => fetch(target + (request.url ?? ''), { method: request.method ?? 'GET', headers });
    void forward(send, signature !== null).then(async (reply) => {
      const body = Buffer.from(await reply.arrayBuffer());
      // Already decompressed.
      const kept = [...reply.headers].filter(([name]) => !/^(content-encoding|content-length|connection)$/.test(name));
      response.writeHead(reply.status, Object.fromEntries(kept)).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signatures,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
