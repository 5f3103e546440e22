import { z } from 'zod';
import { createPurchaseError } from '../error-classes.js';
import { parseJson } from '../wire/base64-json.js';
import { createServiceClient } from '../service-client.js';
import { fetchBounded, type BoundedAnswer, type Bounds } from '../wire/fetch-bounded.js';
import { PurchaseError } from '../payments/purchase-error.js';

export type ToolLink = ReturnType<typeof createToolLink>;

/** The key of x402 payments in MCP. */
export const paymentKey = 'x402/payment';

/** Connects to the tools of a service within the bounds: MCP messages over streamable HTTP, without a session. */
export function createToolLink(baseUrl: string, bounds: Bounds = {}) {
  let count = 0;
  return {
    baseUrl,
    /** Sends a request over HTTP, to the same service. */
    send: createServiceClient(baseUrl, bounds),
    /**
     * The result of a method.
     * @throws PurchaseError `server_unreachable` when no complete answer arrived, so that the server may have processed
     *   the message; `unexpected_answer` when the server refused it; `reply_too_large`, `reply_stalled`.
     */
    async ask(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
      const isPaying = paymentKey in ((params['_meta'] as object | undefined) ?? {});
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params });
      const { status, text } = await post(`${baseUrl}/mcp`, body, bounds, isPaying);
      const answer = readAnswer(text);
      if (answer?.result !== undefined) return answer.result;
      if (answer?.error === undefined && status >= 500) throw unreachable();
      const told = answer?.error?.message ?? `The answer was ${status} and not in this service's format.`;
      throw createPurchaseError('unexpected_answer', told, { status });
    },
  };
}

async function post(url: string, body: string, bounds: Bounds, isPaying: boolean): Promise<BoundedAnswer> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  try {
    return await fetchBounded(url, { method: 'POST', headers, body }, bounds, isPaying);
  } catch (cause) {
    throw cause instanceof PurchaseError ? cause : unreachable(cause);
  }
}

const message = z.object({
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

/** The one message of an answer: JSON, or the last event of a stream. */
function readAnswer(text: string): z.infer<typeof message> | undefined {
  const [event] = text.match(/^data: .*$/gm)?.slice(-1) ?? [];
  return message.safeParse(parseJson(event?.slice('data: '.length) ?? text)).data;
}

function unreachable(cause?: unknown): PurchaseError {
  return createPurchaseError('server_unreachable', 'The server does not answer.', { cause });
}
