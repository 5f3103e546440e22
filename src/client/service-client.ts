import { parseJson } from './wire/base64-json.js';
import { fetchBounded, type Bounds } from './wire/fetch-bounded.js';
import { PurchaseError } from './payments/purchase-error.js';

/** One answer of the server, with any status. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The unchanged body of a 200; empty for every other status. */
  readonly text: string;
  /** The body of every other status: a JSON value, or the text when it is not JSON. */
  readonly error: unknown;
}

/**
 * Sends one request. Undefined means that no complete answer arrived; the server may have processed the request.
 * @throws UnexpectedAnswerError for an answer that is too large or stalls
 */
export type SendRequest = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Reply | undefined>;

/** Connects to a server within the bounds. The path and query are sent unchanged. */
export function createServiceClient(baseUrl: string, bounds: Bounds = {}): SendRequest {
  return async (path, headers = {}) => {
    try {
      const isPaying = 'PAYMENT-SIGNATURE' in headers;
      const answer = await fetchBounded(baseUrl + path, { headers: { ...headers } }, bounds, isPaying);
      if (answer.status === 200) return { ...answer, error: undefined };
      return { ...answer, text: '', error: parseJson(answer.text) ?? answer.text };
    } catch (error) {
      if (error instanceof PurchaseError) throw error;
      return undefined; // nothing came, or the connection broke
    }
  };
}
