import type { Readers } from '../../../generated/methods.gen.js';
import { afterPayment, readData } from './read-answer.js';
import type { Caller } from '../create-caller.js';
import type { Parameters } from './call.js';
import type { AllOptions } from '../deals-client.js';
import { createPurchaseError } from '../error-classes.js';
import { requestPath } from './operation-paths.js';
import { readNextPages, readTotal } from './next-pages.js';
import { findRecords, type Row } from './records.js';

/** Creates the reader of an operation that returns records: one payment, then the further pages, free. */
export function createRecordReader({ get, createCall }: Caller, id: keyof Readers) {
  async function* all(parameters?: Parameters, options: AllOptions = {}): AsyncGenerator<Row, void, undefined> {
    const path = requestPath(id, parameters);
    const { reply, paid } = await get(path, { ...options, readsOn: true });
    const total = readTotal(reply) ?? 0;
    let received = 0;
    let pages = 0;

    function* take(rows: readonly Row[]): Generator<Row, void, undefined> {
      received += rows.length;
      pages += 1;
      options.onProgress?.({ received, total: Math.max(total, received), pages });
      yield* rows;
    }

    const first = findRecords(readData(reply, paid))?.rows;
    if (first === undefined) throw createPurchaseError('unexpected_answer', 'The answer contains no list of records.');
    yield* take(first);
    const { send, patience } = createCall(path, options);
    const rest = readNextPages(send, reply, first, patience)[Symbol.asyncIterator]();
    for (;;) {
      const page = await rest.next().catch((error: unknown) => {
        throw afterPayment(error, paid);
      });
      if (page.done === true) return;
      yield* take(page.value.rows);
    }
  }
  return { all };
}
