import { ServiceError, type ParameterFault } from '../../errors.js';

/** The `error` of a PaymentRequired that answers a request without payment. */
export const paymentNeeded = 'PAYMENT-SIGNATURE header is required';

/**
 * The error that asks for payment; faulty parameters are listed, so that nobody signs for a request that is refused.
 */
export function paymentRequired(faults: readonly ParameterFault[]): ServiceError {
  const detail =
    faults.length > 0
      ? 'Payment is required. Correct the faulty parameters first: a paid request with them is refused, unbilled.'
      : 'Payment is required: sign one of `accepts` and send the request again with PAYMENT-SIGNATURE.';
  return new ServiceError('payment_required', detail, { faults, paymentError: paymentNeeded });
}
