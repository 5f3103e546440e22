import { ServiceError, type NextStep } from '../errors.js';
import { encodeJsonHeader } from './json-header.js';
import type { SettleResponse } from './payment-response.js';
import type { SettlementProblem } from './settlement/settlement-problems.js';
import type { Verdict } from './settlement/settler.js';
import type { BoundPayment } from './verified-payment.js';

/** The settlement definitely failed: it did not use the authorization. */
export function settlementFailed({ key }: BoundPayment, reason: string, detail: string): ServiceError {
  const response: SettleResponse = {
    success: false,
    errorReason: reason,
    payer: key.payer,
    transaction: '',
    network: key.network,
  };
  return new ServiceError('settlement_failed', `The payment did not settle: ${detail}`, {
    payment: 'not_settled',
    paymentError: reason,
    headers: { 'PAYMENT-RESPONSE': encodeJsonHeader(response) },
  });
}

/**
 * It is not known yet whether the payment was charged: only the same payment may be sent again, never a new one.
 * `refusal`: the code of a refusal that is not final.
 */
export function outcomeUnknown({
  cause,
  refusal,
}: { cause?: unknown; refusal?: string | undefined } = {}): ServiceError {
  const why = refusal === undefined ? '' : ` It was refused for now (${refusal}), and may be charged until it expires.`;
  return new ServiceError(
    'settlement_unknown',
    `The outcome of the payment is not known yet.${why} Send the very same PAYMENT-SIGNATURE again; it is charged at most once.`,
    { payment: 'unknown', retryAfterSeconds: 3, cause },
  );
}

/** The chain refuses the transfer. */
export function refusedByChain({ reason, detail }: Verdict & { readonly verdict: 'refused' }): ServiceError {
  const isUsed = reason === 'nonce_used';
  return new ServiceError(isUsed ? 'payment_already_used' : 'payment_invalid', detail, {
    payment: 'not_settled',
    paymentError: isUsed ? 'invalid_transaction_state' : reason,
  });
}

/**
 * Nothing was sent, and the same payment stays valid; with `mayHaveSent`, the ledger may lack the row of an earlier
 * sending.
 */
export function cannotSettle(
  by: SettlementProblem['by'],
  {
    why,
    cause,
    mayHaveSent = false,
  }: Partial<Pick<SettlementProblem, 'why' | 'mayHaveSent'>> & { cause?: unknown } = {},
): ServiceError {
  const told = mayHaveSent
    ? 'Payments cannot settle now. Send the very same PAYMENT-SIGNATURE again later; it is charged at most once.'
    : 'Payments cannot settle now. Nothing was sent and no payment was used; send the same request again later.';
  return new ServiceError(
    by === 'database' ? 'temporarily_unavailable' : `${by}_unavailable`,
    why === undefined ? told : `${told} ${why}`,
    {
      payment: mayHaveSent ? 'unknown' : 'not_settled',
      retryAfterSeconds: 5,
      cause,
    },
  );
}

/** Failed transfers have burned the gas of an hour: a payer that may burn more must wait. */
export function gasBurned(): ServiceError {
  const detail = 'Too many transfers failed on chain within this hour. Send the very same request again.';
  return new ServiceError('rate_limited', detail, { payment: 'not_settled', retryAfterSeconds: 1 });
}

/** Its transfers cost this service gas and brought nothing. */
export function payerFailed(until: Date, hasCode: boolean): ServiceError {
  const [failed, other] = hasCode ? ['A transfer', 'an account without code'] : ['Two transfers', 'another'];
  const detail = `${failed} of this account failed on chain. Pay from ${other}, or after ${until.toISOString()}.`;
  return new ServiceError('payment_invalid', detail, {
    payment: 'not_settled',
    paymentError: 'invalid_transaction_state',
  });
}

/** Another copy of the request is running. */
export function inProgress(): ServiceError {
  return new ServiceError(
    'payment_in_progress',
    'This payment is being worked on. Send the very same request again after Retry-After.',
    { payment: 'unknown', retryAfterSeconds: 2 },
  );
}

/**
 * The buyer's identifier belongs to another payment or request of the same payer. `payment`: the known state of this
 * one.
 */
export function idConflict(payment: 'not_settled' | 'settled' | 'unknown' = 'not_settled'): ServiceError {
  return new ServiceError(
    'payment_id_conflict',
    'The payment-identifier was used for another payment or request. Use a new one, or repeat the first request unchanged.',
    { payment },
  );
}

/** The payment has bought its reply. `payment`: its known state. */
export function alreadyUsed(detail: string, payment: 'settled' | 'unknown' = 'settled'): ServiceError {
  return new ServiceError('payment_already_used', `${detail} Sign a new payment for a new call.`, {
    payment,
    paymentError: 'invalid_transaction_state',
  });
}

/** Only for the buyer: the reply has a record that was suppressed a day ago or earlier. */
export function replySuppressed(): ServiceError {
  const detail = 'The owner of a property in this reply asked that it be shown no more.';
  return new ServiceError('reply_suppressed', detail, { payment: 'settled' });
}

/** The payment has its buyer's identifier, and the request lacks it. */
export function unidentified(): ServiceError {
  return alreadyUsed(
    'The payment was used. Its reply comes again with the same payment-identifier as before, or at /api/payments for its wallet.',
  );
}

/** The link to a payment's status. */
export function statusOfPayment(paymentId: string): NextStep {
  return { title: 'What became of this payment', url: `/api/payments/${paymentId}` };
}

/** The error with the payment's public id and the link to its status. */
export function namePayment(error: ServiceError, paymentId: string): ServiceError {
  const next = [statusOfPayment(paymentId)];
  const named = new ServiceError(error.reason, error.message, { next, ...error.details, paymentId });
  if (error.stack !== undefined) named.stack = error.stack;
  return named;
}
