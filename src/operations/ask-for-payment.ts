import { ServiceError, type ParameterFault } from '../errors.js';
import { missingPaymentText, type Challenge } from '../payments/gate/challenge.js';
import type { Decoded } from './decode.js';
import type { OperationReply, ParameterRules } from './operation.js';
import type { ProblemReply } from './problem.js';

/** The 402 of a request without payment. @throws ServiceError a 402 with the faulty parameters */
export type AskForPayment = (decoded: Decoded, requestId: string) => OperationReply;

/**
 * Creates the 402 of one operation. Replies differ by request id only: each is made and proven once per challenge, the
 * first at start. Faulty parameters are listed, so that nobody signs for a request that would be refused.
 */
export function createAskForPayment(
  problemReply: ProblemReply,
  challengeNow: () => Challenge,
  rules: ParameterRules | undefined,
): AskForPayment {
  const mark = '@request-id@';

  function make(challenge: Challenge) {
    const { body, ...reply } = problemReply(paymentRequiredError([]), mark);
    return { challenge, reply, parts: typeof body === 'string' ? body.split(mark) : [] };
  }
  let made = make(challengeNow());

  return ({ query, faults }, requestId) => {
    const found = rules?.findFaults?.(query) ?? [];
    const furtherFaults = found.filter(({ parameter }) => !faults.some((each) => each.parameter === parameter));
    if (faults.length + furtherFaults.length > 0) throw paymentRequiredError([...faults, ...furtherFaults]);
    const challenge = challengeNow();
    if (made.challenge !== challenge) made = make(challenge);
    return { ...made.reply, body: made.parts.join(requestId) };
  };
}

function paymentRequiredError(faults: readonly ParameterFault[]): ServiceError {
  const detail =
    faults.length > 0
      ? 'Payment is required. Correct the faulty parameters first: a paid request with them is refused, unbilled.'
      : 'Payment is required: sign one of `accepts` and send the request again with PAYMENT-SIGNATURE.';
  return new ServiceError('payment_required', detail, { faults, paymentError: missingPaymentText });
}
