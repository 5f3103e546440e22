import { createPaidCalls, type PaidCall, type PaidCalls } from './paid-calls.js';
import { createRateLimiter, type RateLimiter, type RatePolicy } from './rate-limiter.js';

export type { PaidCall };

/** Configured limits on calls to this process. */
export interface LimitSettings {
  readonly unpaidCallsPerMinute: number;
  readonly unbilledCallsPerMinute: number;
  readonly countsPerMinute: number;
  readonly paidCallsPerPayer: number;
  readonly paidCallsAtOnce: number;
  readonly walletChecksPerMinute: number;
  readonly walletChecksPerAddress: number;
}

/** Limits that keep one caller from exhausting shared capacity. Each process counts for itself. */
export interface Limits {
  /** By address: calls without a payment, or with one not signed by its payer. */
  readonly unpaid: RateLimiter;
  readonly paidCalls: PaidCalls;
  /** By address: counts of matches, and previews of reports. */
  readonly counts: RateLimiter;
  /** Overall: questions whether an authorization that the ledger does not know was used. */
  readonly nonceChecks: RateLimiter;
  /** By address and overall: signatures that only the chain can check. */
  readonly walletChecks: { readonly byAddress: RateLimiter; readonly overall: RateLimiter };
}

/** Each is one call to the node. */
const nonceChecksPerMinute = 60;

/** Creates all limits of a process, by milliseconds of a monotonic clock. */
export function createLimits(settings: LimitSettings, elapsedMs: () => number): Limits {
  const limit = (policy: RatePolicy): RateLimiter => createRateLimiter(policy, elapsedMs);
  const wallets = {
    name: 'wallet-checks',
    detail:
      "The payer's key did not make this signature, and too many signatures of contract wallets are being checked. Send the same payment again later.",
    payment: 'unknown',
  } as const;
  return {
    unpaid: limit({
      name: 'unpaid',
      callsPerMinute: settings.unpaidCallsPerMinute,
      detail: 'Too many unpaid calls from this address. Wait for Retry-After, or pay: paid calls are not counted.',
    }),
    paidCalls: createPaidCalls({
      unbilled: limit({
        name: 'unbilled',
        callsPerMinute: settings.unbilledCallsPerMinute,
        detail:
          'Too many calls from this payer or address ended without a sale. Wait for Retry-After; the payment was not used. The free /api/deals/ids lists what is available.',
        payment: 'not_settled',
      }),
      perPayer: settings.paidCallsPerPayer,
      atOnce: settings.paidCallsAtOnce,
    }),
    counts: limit({
      name: 'counts',
      callsPerMinute: settings.countsPerMinute,
      detail: 'Too many counts and previews from this address. Wait for Retry-After.',
    }),
    nonceChecks: limit({
      name: 'nonce-checks',
      callsPerMinute: nonceChecksPerMinute,
      detail: 'Too many payments are being looked for.',
    }),
    walletChecks: {
      byAddress: limit({ ...wallets, callsPerMinute: settings.walletChecksPerAddress }),
      overall: limit({ ...wallets, callsPerMinute: settings.walletChecksPerMinute }),
    },
  };
}
