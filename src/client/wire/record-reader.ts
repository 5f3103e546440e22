import { afterPayment, readData } from './read-answer.js';
import type { Caller } from '../create-caller.js';
import type { Parameters } from './call.js';
import type { AllOptions, RecordReader } from '../deals-client.js';
import { createPurchaseError } from '../error-classes.js';
import { type OperationId, requestPath } from './operation-paths.js';
import type { ParametersOf } from './operation-types.js';
import { findRecords } from './records.js';
import { ask } from './ask.js';
import type { Patience } from './send-patiently.js';
import type { Reply, SendRequest } from '../service-client.js';

/** Creates the reader of an operation that returns records: one payment, then the further pages, free. */
export function createRecordReader<Id extends OperationId, Item>(
  { get, createCall }: Caller,
  id: Id,
): RecordReader<Id, Item> {
  async function* all(parameters?: ParametersOf<Id>, options: AllOptions = {}): AsyncGenerator<Item, void, undefined> {
    const path = requestPath(id, parameters as Parameters);
    const { reply, paid } = await get(path, { ...options, readsOn: true });
    const total = Number(reply.headers.get('x-total-count') ?? 0);
    let received = 0;
    let pages = 0;

    function* take(body: unknown): Generator<Item, void, undefined> {
      const rows = findRecords(body)?.rows;
      if (rows === undefined) throw createPurchaseError('unexpected_answer', 'The answer contains no list of records.');
      received += rows.length;
      pages += 1;
      options.onProgress?.({ received, total: Math.max(total, received), pages });
      yield* rows as readonly Item[]; // typed by the contract
    }

    yield* take(readData(reply, paid));
    const { send, patience } = createCall(path, options);
    const rest = readNextPages(send, reply, patience)[Symbol.asyncIterator]();
    for (;;) {
      const page = await rest.next().catch((error: unknown) => {
        throw afterPayment(error, paid);
      });
      if (page.done === true) return;
      yield* take(readData(page.value, paid));
    }
  }
  return { all };
}

/** The path of the next page of a result set (RFC 8288); undefined on the last page. */
function nextPagePath(reply: Reply): string | undefined {
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
