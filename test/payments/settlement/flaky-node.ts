import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to a call: answered; lost before the node has it; the node has it and its answer is lost; the node says
 * that it knows no such method, or that those before the transaction are missing.
 */
export type Fate = 'answered' | 'lost_request' | 'lost_answer' | 'unknown_method' | 'nonce_too_high' | BadAnswer;

/** An answer that is not the node's own. */
export interface BadAnswer {
  /** Whether the node gets the call all the same. */
  readonly reachesNode: boolean;
  /** Undefined: the connection stays open without an answer. */
  readonly answer: ((response: ServerResponse, id: number) => void) | undefined;
}

/** A node that does not answer with receipts: they must be polled for. */
export function withoutWaiting(method: string): Fate {
  return method === 'eth_sendRawTransactionSync' ? 'unknown_method' : 'answered';
}

const refusals = new Map<Fate, { readonly code: number; readonly message: string }>([
  ['unknown_method', { code: -32601, message: 'Method not found' }],
  ['nonce_too_high', { code: -32000, message: 'nonce too high' }],
]);

/** A node behind a bad line. */
export interface FlakyNode {
  readonly rpcUrl: string;
  /** Every method that was asked for, in order. */
  readonly methods: string[];
  stop(): Promise<void>;
}

/** Stands in front of a real node and decides over each call by its method and parameters. */
export async function startFlakyNode(
  rpcUrl: string,
  decide: (method: string, params: readonly unknown[]) => Fate | Promise<Fate>,
): Promise<FlakyNode> {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      const body = Buffer.concat(chunks).toString();
      const { method, id, params }: { method: string; id: number; params: readonly unknown[] } = JSON.parse(body);
      methods.push(method);
      const fate = await decide(method, params);
      if (fate === 'lost_request') return request.socket.destroy();
      if (typeof fate === 'object') {
        if (fate.reachesNode)
          await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        return void fate.answer?.(response, id);
      }
      const error = refusals.get(fate);
      if (error) {
        return void response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      }
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
