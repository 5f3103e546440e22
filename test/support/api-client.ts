import { createClient, type Client } from '../../generated/client/index.js';
import { assertPlain } from '../generators/check-plain.js';
import { sliceOf } from './depth.js';
import { readPrice, signPayment, type PaymentChanges } from './pay.js';

/** The generated client for a server. What it is answered is what the documents for other generators say as well. */
export function createApiClient(baseUrl: string): Client {
  const client = createClient({ baseUrl });
  client.interceptors.response.use(async (response, request, { url: path }) => {
    const isData = path.startsWith('/api/') && /json/.test(response.headers.get('Content-Type') ?? '');
    const isOtherView = new URL(request.url).searchParams.has('view');
    if (isData && !isOtherView) assertPlain(path, response.status, someOf(await response.clone().json()), request.url);
    return response;
  });
  return client;
}

/** A reply; in an ordinary test run, of a long list some records. */
function someOf(body: unknown): unknown {
  return Array.isArray(body) ? sliceOf(body, Math.ceil(body.length / 20)) : body;
}

/** The result of a call through the generated client. */
interface CallResult<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Buys through the generated client like a program: calls without payment, signs the 402's requirement, and calls again
 * with the payment.
 */
export async function purchase<Result extends CallResult<unknown>>(
  call: (headers: { 'PAYMENT-SIGNATURE'?: string }) => Promise<Result>,
  changes: PaymentChanges = {},
): Promise<Result> {
  const unpaid = await call({});
  if (unpaid.response.status !== 402) throw new Error(`Expected 402, got ${unpaid.response.status}`);
  const payment = await signPayment(readPrice(unpaid.response), changes);
  return call({ 'PAYMENT-SIGNATURE': payment });
}

/** The path in a Link header with rel="next"; undefined when there is none. */
export function nextLink(response: Response): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(response.headers.get('Link') ?? '')?.[1];
}
