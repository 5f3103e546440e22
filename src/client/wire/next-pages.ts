import { ask } from './ask.js';
import { createPurchaseError } from '../error-classes.js';
import type { PurchaseError } from '../payments/purchase-error.js';
import { nextPagePath, readData } from './read-answer.js';
import { findRecords, type Row } from './records.js';
import type { Patience } from './send-patiently.js';
import type { Reply, SendRequest } from '../service-client.js';

/** A further page of a result set: its body, and the records in it. */
export interface Page {
  readonly body: unknown;
  readonly rows: readonly Row[];
}

/** Where no total is given. */
const maxPages = 1_000;

/**
 * Fetches the further pages of a result set, one by one. They are free: a page that asks for payment is an error. So is
 * a page that is empty or repeats another, and more records or pages than the total of the first reply leaves room for.
 * @throws PurchaseError from the iteration; the pages before it are complete.
 */
export async function* readNextPages(
  send: SendRequest,
  first: Reply,
  firstRows: readonly Row[],
  patience: Patience,
): AsyncGenerator<Page> {
  const total = readTotal(first);
  const most = total === undefined ? maxPages : Math.ceil(total / Math.max(1, firstRows.length)) + 2;
  const seen = new Set([beginOf(firstRows)]);
  let received = firstRows.length;
  let pages = 1;
  const assertWithinTotal = () => {
    if (received > (total ?? Infinity)) throw endless(`${received} records have come of ${total}`);
  };
  assertWithinTotal();
  for (let path = nextPagePath(first); path !== undefined;) {
    if (++pages > most) throw endless(`there are more than ${most} pages`);
    const asked = await ask(send, path, patience);
    if (asked.kind === 'priced')
      throw createPurchaseError('unexpected_answer', 'The server asks for another payment for the next page.');
    const body = readData(asked.reply);
    const rows = findRecords(body)?.rows ?? [];
    received += rows.length;
    assertWithinTotal();
    if (rows.length === 0) throw endless('a page has no records');
    if (seen.has(beginOf(rows))) throw endless('a page repeats');
    seen.add(beginOf(rows));
    yield { body, rows };
    path = nextPagePath(asked.reply);
  }
}

/** Records in the whole result set, as the server counts them; undefined where it does not say. */
export function readTotal({ headers }: Reply): number | undefined {
  const text = headers.get('x-total-count') ?? '';
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

/** No record is in a result set twice, so a page is known by its first. */
function beginOf([first]: readonly Row[]): string {
  return JSON.stringify(first);
}

function endless(why: string): PurchaseError {
  return createPurchaseError('unexpected_answer', `The further pages do not come to an end: ${why}.`);
}
