import { plainText } from '../plain-text.js';
import type { PurchaseError } from '../payments/purchase-error.js';

/** An error of a request to a path, for a person: what is wrong, what to do, the state of the money, and its codes. */
export function describeError(error: PurchaseError, baseUrl: string, path = ''): string {
  const { faults = [], next = [], requestId } = error.context;
  const lines = [
    error.reason === 'server_unreachable' ? unreachable(baseUrl) : error.message,
    ...faults
      .map(({ parameter, detail }) => `${parameter}: ${detail}`)
      .flatMap((fault) => (fault === error.message ? [] : [`  ${fault}`])),
    ...(error.reason === 'price_above_limit' ? [`Raise it with --max ${error.context.price ?? '<usd>'}.`] : []),
    ...(error.reason === 'storage_failed' ? [whereItIsKept(error)] : []),
    ...(error.reason === 'payment_invalid' ? whoPays(error) : []),
    ...whatOfTheMoney(error, path),
    ...next.map(({ title, url }) => `  Free: ${title}: ${url}`),
    `  Reason: ${error.reason}`,
    ...(requestId === undefined ? [] : [`  Request id: ${requestId}`]),
  ];
  return lines.map((line) => `${plainText(line)}\n`).join('');
}

function unreachable(baseUrl: string): string {
  const cure = 'Start the server with npm start, or set BASE_URL to where it runs, by http or https as it does.';
  // A certificate that is not trusted looks like no answer.
  const authority = ' For a certificate of your own authority, set NODE_EXTRA_CA_CERTS to its file.';
  return `Nothing answers at ${baseUrl}. ${cure}${baseUrl.startsWith('https:') ? authority : ''}`;
}

function whoPays({ context: { authorization } }: PurchaseError): string[] {
  return authorization === undefined ? [] : [`${authorization.payer} pays. What it holds: deals-feed wallet`];
}

function whereItIsKept({ context: { cause } }: PurchaseError): string {
  const told = cause instanceof Error ? `${cause.message}. ` : '';
  return `${told}Payments are stored in PAYMENTS_DIR, by default ~/.deals-feed/payments.`;
}

function whatOfTheMoney({ context, message, reason }: PurchaseError, path: string): string[] {
  switch (context.payment) {
    case 'unknown': {
      const { payer = '', nonce = '' } = context.authorization ?? {};
      const told = context.paymentId === undefined ? '' : ` What became of it: payment ${context.paymentId}`;
      return [
        'The payment may have been charged. Run the same command again: it presents the same payment, which is ' +
          `charged once at most. On the token it is the authorization of ${payer} with nonce ${nonce}.${told}`,
      ];
    }
    case 'settled':
      if (reason === 'reply_suppressed' || isReplyPath(path)) return ['The payment was charged before.'];
      return [
        `The payment was charged. Its reply again, free: deals-feed payment-reply ${context.paymentId ?? '<id>'}`,
      ];
    default:
      // The server's message may already say so.
      return message.endsWith('Nothing was billed.') ? [] : ['Nothing was charged.'];
  }
}

/** Whether the request itself asked for the reply of a payment. */
function isReplyPath(path: string): boolean {
  return /^\/api\/payments\/[^/]+\/response\b/.test(path);
}

/** Exit codes of the command. */
export const exitCodes = { done: 0, refused: 1, usage: 2, payment: 3, unreachable: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The meaning of each code, as `--help` prints it. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'Done.',
  1: 'The request was refused, nothing matched, or the output could not be written.',
  2: 'The command line is invalid. Nothing was sent.',
  3: 'A payment problem: above --max, not approved, refused, outcome unknown, or charged with incomplete data. See the message.',
  4: 'The server is unreachable or cannot answer now. Nothing was charged, unless the message says otherwise.',
};

const paymentReasons: ReadonlySet<string> = new Set([
  'challenge_unreadable',
  'no_acceptable_payment',
  'price_above_limit',
  'budget_exceeded',
  'not_approved',
  'key_needed',
  'not_signed',
  'storage_failed',
  'outcome_unknown',
  'facilitator_unavailable',
  'chain_unavailable',
]);

const laterReasons: ReadonlySet<string> = new Set([
  'server_unreachable',
  'reply_stalled',
  'rate_limited',
  'temporarily_unavailable',
  'internal_error',
]);

/** The exit code of an error. Every error with an unknown payment outcome is a payment problem. */
export function exitCodeOf({ reason, context }: PurchaseError): ExitCode {
  const isAboutPayment =
    paymentReasons.has(reason) ||
    /^(payment|settlement)_/.test(reason) ||
    context.payment === 'unknown' ||
    context.payment === 'settled';
  if (isAboutPayment && reason !== 'server_unreachable') return exitCodes.payment;
  const isLater = laterReasons.has(reason) || (reason === 'unexpected_answer' && (context.status ?? 0) >= 500);
  return isLater ? exitCodes.unreachable : exitCodes.refused;
}
