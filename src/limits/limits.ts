import { createPaidCalls, type PaidCalls } from './paid-calls.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';

/** How much anybody may ask of this process; configuration. */
export interface LimitSettings {
  readonly unpaidCallsPerMinute: number;
  readonly unbilledCallsPerMinute: number;
  readonly paidCallsPerPayer: number;
  readonly paidCallsAtOnce: number;
  readonly walletChecksPerMinute: number;
  readonly walletChecksPerAddress: number;
}

/** What keeps one caller from using up what is there for all. Each process counts for itself. */
export interface Limits {
  /** By address: calls without a payment, or with one that its payer has not signed. */
  readonly unpaid: RateLimiter;
  readonly paidCalls: PaidCalls;
  /** By address, and for all together: signatures that only the chain can judge. */
  readonly walletChecks: { readonly byAddress: RateLimiter; readonly overall: RateLimiter };
}

/** Creates all limits of a process. */
export function createLimits(settings: LimitSettings, now: () => Date): Limits {
  const unbilled = createRateLimiter(
    {
      name: 'unbilled',
      callsPerMinute: settings.unbilledCallsPerMinute,
      detail:
        'Too many calls of this payer or address have ended without a sale. Wait for Retry-After; the payment was not used. The free /api/deals/ids shows what there is.',
      payment: 'not_settled',
    },
    now,
  );
  const wallet = {
    detail:
      "The payer's key has not made this signature, and too many that only a contract wallet can confirm are being checked. Send the same payment again later.",
    payment: 'unknown',
  } as const;
  return {
    unpaid: createRateLimiter(
      {
        name: 'unpaid',
        callsPerMinute: settings.unpaidCallsPerMinute,
        detail: 'Too many unpaid calls from this address. Wait for Retry-After, or pay: paid calls are not counted.',
      },
      now,
    ),
    paidCalls: createPaidCalls({
      unbilled,
      perPayer: settings.paidCallsPerPayer,
      atOnce: settings.paidCallsAtOnce,
    }),
    walletChecks: {
      byAddress: createRateLimiter(
        { name: 'wallet-checks', callsPerMinute: settings.walletChecksPerAddress, ...wallet },
        now,
      ),
      overall: createRateLimiter(
        { name: 'wallet-checks', callsPerMinute: settings.walletChecksPerMinute, ...wallet },
        now,
      ),
    },
  };
}
