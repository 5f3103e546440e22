import type { CountedMatches } from '../../../generated/types.gen.js';
import { createProgressLine, renderBar } from '../../terminal/progress-line.js';
import { afterPayment } from '../wire/read-answer.js';
import type { Caller } from '../create-caller.js';
import type { CallResult } from '../wire/call.js';
import { createPurchaseError } from '../error-classes.js';
import { countWithoutEach } from './count-without.js';
import { readNextPages, readTotal, type Page } from '../wire/next-pages.js';
import { parseJson } from '../wire/base64-json.js';
import { PurchaseError } from '../payments/purchase-error.js';
import { findRecords, joinPages, type Row } from '../wire/records.js';
import type { Reply } from '../service-client.js';
import { describePayment, describePrice, labelOf } from './describe-purchase.js';
import type { Format } from './verbs.js';
import type { GetCommand } from './parse-command.js';
import { renderBody } from './render-body.js';
import { describeCount, openReport, showReply } from './show-reply.js';
import type { Surroundings } from './surroundings.js';

/** Gets the reply of a command, pays for it when it has a price, and prints it. @throws PurchaseError */
export async function get(
  command: GetCommand,
  format: Format,
  caller: Caller,
  surroundings: Surroundings,
): Promise<void> {
  const { path, all } = command;
  const { out, notes, width } = surroundings;
  if (command.dryRun) {
    const quote = await caller.price(path);
    const body = quote ?? { request: path, price: '0.00' };
    out.write(format === 'table' ? `${describePrice(quote)}\n` : renderBody(body, format, width));
    return;
  }
  const { reply, paid } = await buy(command, caller, surroundings).catch((error: unknown) =>
    explain(error, path, caller),
  );
  // Printed before the further pages are read, so that the payment is known even when they fail.
  if (all) notes.write(describePayment(paid));
  const first = parseBody(reply);
  const isStream = format === 'ndjson';
  const bodies = [first];
  const rows = findRecords(first)?.rows ?? [];
  let count = rows.length;
  let failure: unknown;
  if (isStream) out.write(renderBody(first, format, width));
  try {
    if (all) {
      for await (const { body, rows: more } of readRest(command, reply, rows, caller, surroundings)) {
        count += more.length;
        if (isStream) out.write(renderBody(body, format, width));
        else bodies.push(body);
      }
    }
  } catch (error) {
    failure = afterPayment(error, paid); // reported after the received pages are printed, since they are paid for
  }
  const body = bodies.length === 1 ? first : joinPages(bodies);
  const { baseUrl } = caller.createCall(path);
  if (format === 'table') await showReply(body, reply, command, baseUrl, surroundings);
  else if (!isStream)
    out.write(format === 'json' && bodies.length === 1 ? reply.text : renderBody(body, format, width));
  if (command.open) await openReport(body, reply.text, baseUrl, surroundings);
  if (typeof first === 'string' && (isStream || format === 'csv'))
    notes.write('The reply is no list of records; it is printed unchanged.\n');
  if (format !== 'table' && findRecords(first) !== undefined) notes.write(describeCount(count, count, reply, all));
  if (!all) notes.write(describePayment(paid));
  if ((first as Partial<CountedMatches>).matches?.at_most === 0) {
    const looser = await countWithoutEach(path, caller);
    if (looser !== undefined) notes.write(`${looser.says}.\n`);
  }
  if (failure !== undefined) throw failure;
}

/** Where nothing matches, suggests first the same query without the filter that excludes everything. */
async function explain(error: unknown, path: string, caller: Caller): Promise<never> {
  if (!(error instanceof PurchaseError) || error.reason !== 'no_records_match') throw error;
  const looser = await countWithoutEach(path, caller);
  if (looser === undefined) throw error;
  const { message, reason, context } = error;
  const first = { title: looser.says, url: looser.path };
  throw createPurchaseError(reason, message, { ...context, next: [first, ...(context.next ?? [])] });
}

/** Buys within the limit. Above it, asks a person if possible, and then pays at most the confirmed price. */
async function buy(
  { path, all, maxPrice }: GetCommand,
  caller: Caller,
  { confirm }: Surroundings,
): Promise<Pick<CallResult, 'reply' | 'paid'>> {
  const options = { readsOn: all, ...(maxPrice !== undefined && { maxPrice }) };
  try {
    return await caller.get(path, options);
  } catch (error) {
    const isTooDear = error instanceof PurchaseError && error.reason === 'price_above_limit';
    if (!isTooDear || confirm === undefined) throw error;
    const quote = await caller.price(path);
    if (quote === undefined) throw error;
    const { price, network } = quote;
    if (!(await confirm(`It costs $${price} on ${labelOf(network)}, above the limit (--max). Buy it? [y/N] `)))
      throw createPurchaseError('not_approved', `The price of $${price} was not approved. Nothing was paid.`);
    return caller.get(path, { ...options, maxPrice: price });
  }
}

/** The further pages, with a progress bar. */
async function* readRest(
  { name, path }: GetCommand,
  first: Reply,
  firstRows: readonly Row[],
  caller: Caller,
  { notes, now }: Surroundings,
): AsyncGenerator<Page> {
  const { send, patience } = caller.createCall(path);
  const line = createProgressLine(notes, now);
  const total = readTotal(first) ?? 0;
  let received = firstRows.length;
  const show = () => {
    if (total > received) line.show(`${name} ${renderBar(received, total)}  ${received} of ${total} records`);
  };
  try {
    show();
    for await (const page of readNextPages(send, first, firstRows, patience)) {
      received += page.rows.length;
      line.clear();
      yield page;
      show();
    }
  } finally {
    line.clear();
  }
}

/** A paid body is always printed, even when it is not the JSON that it claims to be. */
function parseBody({ headers, text }: Reply): unknown {
  return /[/+]json\b/.test(headers.get('content-type') ?? '') ? (parseJson(text) ?? text) : text;
}
