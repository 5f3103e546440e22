import { ask } from './ask.js';
import { createPurchaseError } from '../error-classes.js';
import type { Patience } from './send-patiently.js';
import type { Reply, SendRequest } from '../service-client.js';

/** The path of the next page of a result set (RFC 8288); undefined on the last page. */
export function nextPagePath(reply: Reply): string | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(reply.headers.get('link') ?? '') ?? [];
  if (target === undefined) return undefined;
  if (/^\/(?!\/)/.test(target)) return target;
  throw createPurchaseError('unexpected_answer', 'The next page is on another server, so it is not fetched.');
}

/**
 * Fetches the further pages of a result set, one by one. They are free: a page that asks for payment is an error.
 * @throws PurchaseError from the iteration; the pages before it are complete.
 */
export async function* readNextPages(send: SendRequest, first: Reply, patience: Patience): AsyncGenerator<Reply> {
  const seen = new Set<string>();
  for (let path = nextPagePath(first); path !== undefined && !seen.has(path);) {
    seen.add(path);
    const asked = await ask(send, path, patience);
    if (asked.kind === 'priced') {
      throw createPurchaseError('unexpected_answer', 'The server asks for another payment for the next page.');
    }
    yield asked.reply;
    path = nextPagePath(asked.reply);
  }
}
