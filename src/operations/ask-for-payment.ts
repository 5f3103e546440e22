import { ServiceError, type ParameterFault } from '../errors.js';
import { missingPaymentText, type Challenge } from '../payments/gate/challenge.js';
import { encodeJsonHeader } from '../payments/json-header.js';
import type { Decoded } from './decode.js';
import type { OperationReply } from './operation.js';
import type { ProblemReply } from './problem.js';

/** The 402 of a request without payment. @throws ServiceError a 402 with the faulty parameters */
export type AskForPayment = (decoded: Decoded, requestId: string) => OperationReply;

/**
 * Creates the 402 of one operation. That of `bare`, a request without parameters, is made and proven at start. Another
 * request's differs from it by the challenge alone, and equal requests' by the request id. Faulty parameters are
 * listed, so that nobody signs for a request that would be refused.
 */
export function createAskForPayment(
  problemReply: ProblemReply,
  challengeOf: (asked: Decoded) => Challenge,
  bare: Decoded,
): AskForPayment {
  const mark = '@request-id@';
  const proven = problemReply(paymentRequiredError([]), mark, () => challengeOf(bare));
  const problem = JSON.parse(String(proven.body)) as object;
  const known = new WeakMap<Challenge, { readonly headers: OperationReply['headers']; readonly parts: string[] }>();

  return (decoded, requestId) => {
    if (decoded.faults.length > 0) throw paymentRequiredError(decoded.faults);
    const challenge = challengeOf(decoded);
    let made = known.get(challenge);
    if (made === undefined) {
      made = {
        headers: {
          ...proven.headers,
          'PAYMENT-REQUIRED': encodeJsonHeader({ ...challenge.members, error: missingPaymentText }),
        },
        parts: JSON.stringify({ ...problem, ...challenge.members }).split(mark),
      };
      known.set(challenge, made);
    }
    return { status: proven.status, headers: made.headers, body: made.parts.join(requestId) };
  };
}

function paymentRequiredError(faults: readonly ParameterFault[]): ServiceError {
  const detail =
    faults.length > 0
      ? 'Payment is required. Correct the faulty parameters first: a paid request with them is refused, unbilled.'
      : 'Payment is required: sign one of `accepts` and send the request again with PAYMENT-SIGNATURE.';
  return new ServiceError('payment_required', detail, { faults, paymentError: missingPaymentText });
}
