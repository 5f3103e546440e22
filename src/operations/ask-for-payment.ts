import type { Decoded } from '../contract/paths.js';
import { assertKept } from '../contract/prover.js';
import type { Validators } from '../contract/validators.js';
import { ServiceError, type ParameterFault } from '../errors.js';
import { missingPaymentText, type Challenge } from '../payments/gate/challenge.js';
import type { OperationReply, OperationRequest, PreviewAsked } from './operation.js';
import type { ProblemReply } from './problem.js';

/** The 402 of a request without payment. @throws ServiceError the 402 for faulty parameters */
export type AskForPayment = (decoded: Decoded, request: UnpaidRequest) => Promise<OperationReply>;

type UnpaidRequest = Pick<OperationRequest, 'requestId' | 'address' | 'headOnly'>;

export interface AskPorts {
  readonly validators: Validators;
  readonly problemReply: ProblemReply;
  readonly challengeOf: (asked: Decoded) => Challenge;
  /** The request without parameters. */
  readonly bare: Decoded;
  readonly preview?: PreviewAsked | undefined;
}

/**
 * Creates the 402 of one operation. One 402, of `bare`, is built and proven at start. Others replace only its
 * challenge, preview and request id.
 */
export function createAskForPayment(ports: AskPorts): AskForPayment {
  const { validators, problemReply, challengeOf, bare, preview: previewOf } = ports;
  const proven = problemReply(paymentRequired(), requestIdMark, () => challengeOf(bare));
  const problemParts = splitProblem(String(proven.body));
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
        // The body has the same members, after those of every problem.
        text: `,${header.slice(1, -1)}`,
      };
      known.set(challenge, made);
    }
    // A failed preview does not block the 402.
    const preview = headOnly ? undefined : await previewOf?.(decoded, address).catch(() => undefined);
    let previewText = preview && previews.get(preview);
    if (preview !== undefined && previewText === undefined) {
      assertKept(validators.at('#/components/schemas/Preview'), preview, 'a preview');
      previewText = `,"preview":${JSON.stringify(preview)}`;
      previews.set(preview, previewText);
    }
    const body = `${problemParts.join(requestId)}${made.text}${previewText ?? ''}}`;
    return { status: proven.status, reason: 'payment_required', headers: made.headers, body };
  };
}

const requestIdMark = '@request-id@';

/** The body of a 402 before its challenge, split where it names its request: in `instance` and `request_id`. */
function splitProblem(body: string): readonly string[] {
  const [problem = '', challenge] = body.split(',"x402Version"');
  const parts = problem.split(requestIdMark);
  if (challenge === undefined || parts.length !== 3) throw new Error('A 402 names its request twice, then its price');
  return parts;
}

function paymentRequired(): ServiceError {
  const detail = 'Payment is required: sign one of `accepts` and send the request again with PAYMENT-SIGNATURE.';
  return new ServiceError('payment_required', detail, { paymentError: missingPaymentText });
}

/** The most bytes of faults in a 402, which keep it below a thousand. */
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
