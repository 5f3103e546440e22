import { createPurchaseError } from '../error-classes.js';
import { paymentIdOf } from './payment-id.js';
import { PurchaseError } from './purchase-error.js';
import type { PaidWith } from '../wire/purchase.js';

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
