import { createPurchaseError } from '../error-classes.js';
import { paymentIdOf } from './payment-id.js';
import { PurchaseError } from './purchase-error.js';
import type { PaidWith } from '../wire/purchase.js';

/** An error that came after a payment had been charged, which says so: part of what was paid for is here. */
export function afterPayment(error: unknown, paid: PaidWith | undefined): unknown {
  if (paid === undefined || !(error instanceof PurchaseError)) return error;
  const { reason, message, context } = error;
  return createPurchaseError(reason, message, {
    ...context,
    payment: 'settled',
    paymentId: paymentIdOf(paid.payment),
  });
}
