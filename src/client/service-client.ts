import { createClient, createConfig, type Client } from '../../generated/client/index.js';

/** One answer of the server, with any status. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The unchanged body of a 200; empty for every other status. */
  readonly text: string;
  /** The body of every other status: a JSON value, or the text when it is not JSON. */
  readonly error: unknown;
}

/** Sends one request. Undefined means that no complete answer arrived; the server may have processed the request. */
export type SendRequest = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Reply | undefined>;

/** Longer than a settlement takes. */
const requestTimeoutMs = 90_000;

/**
 * Connects to a server through the generated client. The path and query are sent unchanged. Redirects are not followed,
 * since a payment is meant for this server only. `signal` ends every request.
 */
export function createServiceClient(
  baseUrl: string,
  { fetch, signal }: { fetch?: typeof globalThis.fetch | undefined; signal?: AbortSignal | undefined } = {},
): SendRequest {
  const client: Client = createClient(createConfig({ baseUrl, redirect: 'manual', ...(fetch && { fetch }) }));
  return async (path, headers = {}) => {
    try {
      const timeout = AbortSignal.timeout(requestTimeoutMs);
      const { data, error, response } = await client.get<string, unknown>({
        url: path,
        headers: { ...headers },
        parseAs: 'text',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const answer: Response | undefined = response; // undefined without an answer, although its type denies it
      if (answer === undefined) return undefined;
      return { status: answer.status, headers: answer.headers, text: data ?? '', error };
    } catch {
      return undefined; // the connection broke while the body was read
    }
  };
}
