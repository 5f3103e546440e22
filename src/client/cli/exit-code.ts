import type { PurchaseError } from '../payments/purchase-error.js';

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
]);

const laterReasons: ReadonlySet<string> = new Set([
  'server_unreachable',
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
