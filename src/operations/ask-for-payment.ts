import { assertKept } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import { ServiceError, type ParameterFault } from '../errors.js';
import { missingPaymentText, type Challenge } from '../payments/gate/challenge.js';
import type { Decoded } from './decode.js';
import type { OperationReply, OperationRequest, PreviewAsked } from './operation.js';
import type { ProblemReply } from './problem.js';

/** The 402 of a request without payment. @throws ServiceError the 402 that is about faulty parameters alone */
export type AskForPayment = (decoded: Decoded, request: UnpaidRequest) => Promise<OperationReply>;

type UnpaidRequest = Pick<OperationRequest, 'requestId' | 'address' | 'headOnly'>;

export interface AskPorts {
  readonly validators: Validators;
  readonly problemReply: ProblemReply;
  readonly challengeOf: (asked: Decoded) => Challenge;
  /** What is asked without parameters. */
  readonly bare: Decoded;
  readonly preview?: PreviewAsked | undefined;
}

/**
 * Creates the 402 of one operation. That of `bare` is made and proven at start. Another request's differs from it by
 * the challenge and the preview alone, and equal requests' by the request id.
 */
export function createAskForPayment(ports: AskPorts): AskForPayment {
  const { validators, problemReply, challengeOf, bare, preview: previewOf } = ports;
  const mark = '@request-id@';
  const proven = problemReply(paymentRequired(), mark, () => challengeOf(bare));
  const [problem = ''] = String(proven.body).split(',"x402Version"');
  const parts = problem.split(mark);
  const known = new WeakMap<Challenge, { readonly headers: OperationReply['headers']; readonly text: string }>();
  const previews = new WeakMap<object, string>();

  return async (decoded, { requestId, address, headOnly }) => {
    const [fault] = decoded.faults;
    if (fault !== undefined) throw faultyUnpaid(fault, decoded.faults);
    const challenge = challengeOf(decoded);
    let made = known.get(challenge);
    if (made === undefined) {
      const header = `${challenge.text},"error":${JSON.stringify(missingPaymentText)}}`;
      made = {
        headers: { ...proven.headers, 'PAYMENT-REQUIRED': Buffer.from(header).toString('base64') },
        // In the body the same members stand behind those of every problem.
        text: `,${header.slice(1, -1)}`,
      };
      known.set(challenge, made);
    }
    // Where it cannot be told now, that is no reason to ask for nothing.
    const told = headOnly ? undefined : await previewOf?.(decoded, address).catch(() => undefined);
    let preview = told && previews.get(told);
    if (told !== undefined && preview === undefined) {
      assertKept(validators.at('#/components/schemas/Preview'), told, 'a preview');
      preview = `,"preview":${JSON.stringify(told)}`;
      previews.set(told, preview);
    }
    return {
      status: proven.status,
      headers: made.headers,
      body: `${parts.join(requestId)}${made.text}${preview ?? ''}}`,
    };
  };
}

function paymentRequired(): ServiceError {
  const detail = 'Payment is required: sign one of `accepts` and send the request again with PAYMENT-SIGNATURE.';
  return new ServiceError('payment_required', detail, { paymentError: missingPaymentText });
}

/** Bytes of the faults that a 402 names; with them it has a thousand at most. */
const mostFaultBytes = 520;

function faultyUnpaid({ reason }: ParameterFault, all: readonly ParameterFault[]): ServiceError {
  let bytes = 0;
  const faults = all.filter((fault, index) => {
    bytes += Buffer.byteLength(JSON.stringify(fault)) + 1;
    return index === 0 || bytes <= mostFaultBytes;
  });
  const more = all.length > faults.length ? ` These are ${faults.length} of ${all.length}.` : '';
  return new ServiceError(
    reason,
    `Correct \`errors\` first: a payment for the request as it stands is refused.${more}`,
    {
      faults,
      isUnpaid: true,
      next: [{ title: 'The contract', url: '/openapi.json' }],
      paymentError: missingPaymentText,
    },
  );
}
