import { createClient, createConfig, type Client } from '../../generated/client/index.js';

/** One answer of the server, whatever its status. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The body of a 200, as it came; empty for every other status. */
  readonly text: string;
  /** The body of every other status: a JSON value, or its text where it was none. */
  readonly error: unknown;
}

/** Sends one request. Undefined: no whole answer came back, and nobody knows what the server made of the request. */
export type SendRequest = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Reply | undefined>;

export interface ServiceClientOptions {
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Ends every request. */
  readonly signal?: AbortSignal | undefined;
}

/** Longer than a settlement takes. */
const requestTimeoutMs = 90_000;

/**
 * The way to a server through the generated client. A path is sent as it stands, with its query, and redirects are not
 * followed: a payment is for the server that was asked.
 */
export function createServiceClient(baseUrl: string, { fetch, signal }: ServiceClientOptions = {}): SendRequest {
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
      const answer: Response | undefined = response; // without an answer there is none, which its type does not say
      if (answer === undefined) return undefined;
      return { status: answer.status, headers: answer.headers, text: data ?? '', error };
    } catch {
      return undefined; // the connection broke while the body was read
    }
  };
}
