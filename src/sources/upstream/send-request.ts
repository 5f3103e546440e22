import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { guardLookup, refusePrivateLiteral, type ResolveName } from './guard-lookup.js';

export interface RequestToSend {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** True: the address may be private. */
  readonly allowPrivate: boolean;
  /** Without a byte for so long the try has failed. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** Sends one GET and gives the reply as soon as its headers are there. Follows nothing, retries nothing. */
export type SendRequest = (request: RequestToSend) => Promise<IncomingMessage>;

/** Creates a sender with its own connections; guarded and unguarded ones are never shared. */
export function createSendRequest(resolve: ResolveName): SendRequest {
  const lookup = guardLookup(resolve);
  const agents = { guarded: createAgents(), open: createAgents() };
  return ({ url, headers, allowPrivate, idleMs, signal }) =>
    new Promise((resolveReply, reject) => {
      if (!allowPrivate) refusePrivateLiteral(url.hostname);
      const { http, https } = allowPrivate ? agents.open : agents.guarded;
      const options = { headers, signal, ...(allowPrivate ? {} : { lookup }) };
      const request =
        url.protocol === 'https:'
          ? requestHttps(url, { ...options, agent: https })
          : requestHttp(url, { ...options, agent: http });
      request.setTimeout(idleMs, () => request.destroy(new Error('No byte came for too long.')));
      request.on('response', resolveReply).on('error', reject).end();
    });
}

function createAgents() {
  const options = { keepAlive: true, maxSockets: 2 };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}
