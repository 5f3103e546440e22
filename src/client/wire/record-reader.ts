import { afterPayment } from '../payments/after-payment.js';
import type { Caller, Parameters } from './call.js';
import type { AllOptions, RecordReader } from '../deals-client.js';
import { createPurchaseError } from '../error-classes.js';
import { readNextPages } from './next-pages.js';
import type { OperationId } from './operation-paths.js';
import type { ParametersOf } from './operation-types.js';
import { readData } from './read-answer.js';
import { findRecords } from './records.js';
import { requestPath } from './request-path.js';

/** Creates the reader of an operation that returns records: one payment, then the further pages, free. */
export function createRecordReader<Id extends OperationId, Item>(
  { get, begin }: Caller,
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
    const { send, patience } = begin(path, options);
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
