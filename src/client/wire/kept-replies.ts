import * as z from 'zod/mini';
import type { ReplyStorage } from '../payments/payment-storage.js';
import type { Reply } from '../service-client.js';
import { parseJson } from './base64-json.js';

const keptReply = z.object({ headers: z.record(z.string(), z.string()), text: z.string() });

/** What is read from the headers of a reply that is asked for again. */
const keptHeaders = ['etag', 'content-type', 'x-total-count', 'link', 'date'];

/**
 * Keeps replies that have an ETag by server, path and query, so that the server only has to confirm that they are
 * current. A storage that fails, or a torn text, counts as none.
 */
export function createKeptReplies(storage: ReplyStorage, baseUrl: string) {
  return {
    async find(path: string): Promise<Reply | undefined> {
      const text = await storage.find(baseUrl + path).catch(() => undefined);
      const kept = text === undefined ? undefined : z.safeParse(keptReply, parseJson(text)).data;
      return kept && { status: 200, headers: new Headers(kept.headers), text: kept.text, error: undefined };
    },
    async keep(path: string, { headers, text }: Reply): Promise<void> {
      if (!headers.has('etag')) return;
      const kept = keptHeaders.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : []));
      await storage
        .keep(baseUrl + path, JSON.stringify({ headers: Object.fromEntries(kept), text }))
        .catch(() => undefined);
    },
  };
}
