import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a call: answered; lost before the node has it; or the node has it and its answer is lost. */
export type Fate = 'answered' | 'lost_request' | 'lost_answer';

/** A node behind a bad line. */
export interface FlakyNode {
  readonly rpcUrl: string;
  /** Every method that was asked for, in order. */
  readonly methods: string[];
  stop(): Promise<void>;
}

/** Stands in front of a real node and decides over each call by its method. */
export async function startFlakyNode(
  rpcUrl: string,
  decide: (method: string) => Fate | Promise<Fate>,
): Promise<FlakyNode> {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      const body = Buffer.concat(chunks).toString();
      const { method }: { method: string } = JSON.parse(body);
      methods.push(method);
      const fate = await decide(method);
      if (fate === 'lost_request') return request.socket.destroy();
      const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const text = await answer.text();
      if (fate === 'lost_answer') return request.socket.destroy();
      response.setHeader('content-type', 'application/json').end(text);
      return undefined;
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    methods,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
