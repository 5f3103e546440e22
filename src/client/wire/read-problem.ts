import * as z from 'zod/mini';
import type { Problem } from '../../../generated/types.gen.js';
import { createPurchaseError } from '../error-classes.js';
import type { PurchaseError, PurchaseErrorContext } from '../payments/purchase-error.js';
import type { Reply } from '../service-client.js';

/** The members that this client relies on. All others may change. */
const problem = z.looseObject({
  reason: z.string(),
  detail: z.string(),
  payment: z.enum(['none', 'not_settled', 'settled', 'unknown']),
  retryable: z.boolean(),
  retry_same_payment: z.boolean(),
  request_id: z.string(),
  errors: z.array(z.looseObject({ parameter: z.string(), reason: z.string(), detail: z.string() })),
  next: z.array(z.looseObject({ title: z.string(), url: z.string() })),
});

/** The typed error in a reply; undefined when it has none, such as the answer of a proxy. */
export function readProblem(reply: Reply): Problem | undefined {
  return isProblem(reply.error) ? reply.error : undefined;
}

/**
 * The buyer's error for a reply without data; of faulty parameters, its message is about the first one. What the client
 * knows of the payment overrides the server's statement.
 */
export function problemError(reply: Reply, known: PurchaseErrorContext = {}): PurchaseError {
  const told = readProblem(reply);
  if (told === undefined) {
    return createPurchaseError(
      'unexpected_answer',
      `The answer was ${reply.status} and not in this service's format. Check the address.`,
      { ...known, status: reply.status },
    );
  }
  const [fault] = told.errors;
  const isAboutFault = fault !== undefined && (told.reason === fault.reason || told.reason === 'payment_required');
  const [reason, detail] = isAboutFault
    ? [fault.reason, `${fault.parameter}: ${fault.detail}`]
    : [told.reason, told.detail];
  return createPurchaseError(reason, detail, {
    ...known,
    status: reply.status,
    requestId: told.request_id,
    payment: known.payment ?? told.payment,
    faults: told.errors,
    next: told.next,
  });
}

function isProblem(value: unknown): value is Problem {
  return z.safeParse(problem, value).success;
}
