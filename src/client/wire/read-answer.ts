import type { CallResult } from './call.js';
import type { Answer } from '../deals-client.js';
import { createPurchaseError } from '../error-classes.js';
import { paymentIdOf } from '../payments/payment-id.js';
import type { PaidWith } from './purchase.js';
import type { Reply } from '../service-client.js';
import { formatDollars } from '../payments/usd.js';
import { PurchaseError } from '../payments/purchase-error.js';

/**
 * Converts the result of a call to the caller's answer. `getPage` gets the page at a path.
 * @throws PurchaseError `unexpected_answer`
 */
export function readAnswer(
  { reply, paid, isUnchanged }: CallResult,
  getPage: (path: string) => Promise<Answer<unknown>>,
): Answer<unknown> {
  const total = reply.headers.get('x-total-count');
  // The link of a cached reply may have expired.
  const isLast = isUnchanged || findNext(reply) === undefined;
  return {
    data: readData(reply, paid),
    paid: paid && describe(paid),
    isUnchanged,
    total: total === null ? undefined : Number(total),
    next: isLast ? undefined : async () => getPage(nextPagePath(reply) ?? ''),
  };
}

/** Parses a body by its media type: JSON, or text. @throws PurchaseError `unexpected_answer` */
export function readData({ headers, text, status }: Reply, paid?: PaidWith): unknown {
  if (!/[/+]json\b/.test(headers.get('content-type') ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const told = 'The answer claims to be JSON but is not.';
    throw afterPayment(createPurchaseError('unexpected_answer', told, { status, cause }), paid);
  }
}

function describe({ payment, receipt }: PaidWith): Answer<unknown>['paid'] {
  const { network, asset, payer, amount } = payment;
  return {
    network,
    asset,
    amount: formatDollars(BigInt(amount)),
    payer,
    paymentId: paymentIdOf(payment),
    isRedelivered: payment.isShared === true,
    transaction: receipt?.transaction,
  };
}

/** The target of the link to the next page of a result set (RFC 8288), as it is written. */
function findNext({ headers }: Reply): string | undefined {
  return /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(headers.get('link') ?? '')?.[1];
}

/** The path of the next page of a result set; undefined on the last page. @throws PurchaseError for another server's */
export function nextPagePath(reply: Reply): string | undefined {
  const target = findNext(reply);
  if (target === undefined || /^\/(?!\/)/.test(target)) return target;
  throw createPurchaseError('unexpected_answer', 'The next page is on another server, so it is not fetched.');
}

/** Adds the settled payment to an error raised after the charge, so that the buyer can name the payment. */
export function afterPayment(error: unknown, paid: PaidWith | undefined): unknown {
  if (paid === undefined || !(error instanceof PurchaseError)) return error;
  const { reason, message, context } = error;
  return createPurchaseError(reason, message, {
    ...context,
    payment: 'settled',
    paymentId: paymentIdOf(paid.payment),
  });
}
