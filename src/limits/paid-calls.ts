import { ServiceError, isOwnFault, type Reason } from '../errors.js';
import type { RateLimiter } from './rate-limiter.js';

/** A call with an authentic payment. */
export interface Caller {
  readonly payer: string;
  readonly address: string;
  /** The name of the payment. */
  readonly payment: string;
}

/** Counts calls with an authentic payment: running ones, and those that ended without a sale. */
export interface PaidCalls {
  /**
   * Starts a call, or returns the refusal: 429 for this payer or address, 503 when all callers together have too many.
   * `copy` while another call with the same payment runs.
   */
  begin(caller: Caller): PaidCall | ServiceError | 'copy';
}

/** A running call. It ends once; later calls of `end` and `fail` have no effect. */
export interface PaidCall {
  /** @param blame who the failure counts against; undefined for a sale, or a failure that the caller did not cause */
  end(blame?: 'payer' | 'address'): void;
  /** Ends the call without a sale. The error counts against the payer if the payer caused it. */
  fail(error: unknown): void;
}

/** Creates the counter. `unbilled` counts by payer and by address. */
export function createPaidCalls(options: {
  readonly unbilled: RateLimiter;
  readonly perPayer: number;
  readonly atOnce: number;
}): PaidCalls {
  const { unbilled, perPayer, atOnce } = options;
  const runningOf = new Map<string, number>();
  const payments = new Set<string>();

  return {
    begin(caller) {
      const { payer, address, payment } = caller;
      if (payments.has(payment)) return 'copy';
      const ofPayer = runningOf.get(payer) ?? 0;
      const refusal = unbilled.check(payer) ?? unbilled.check(address);
      if (refusal !== undefined) return refusal;
      if (ofPayer >= perPayer) return tooManyAtOnce('rate_limited', 'Too many concurrent calls from this payer');
      if (payments.size >= atOnce) return tooManyAtOnce('temporarily_unavailable', 'Too many concurrent paid calls');
      runningOf.set(payer, ofPayer + 1);
      payments.add(payment);
      let ended = false;
      const end: PaidCall['end'] = (blame) => {
        if (ended) return;
        ended = true;
        payments.delete(payment);
        const left = (runningOf.get(payer) ?? 0) - 1;
        if (left > 0) runningOf.set(payer, left);
        else runningOf.delete(payer);
        if (blame !== undefined) unbilled.take(caller[blame]);
      };
      return { end, fail: (error) => end(isOwnDoing(error) ? 'payer' : undefined) };
    },
  };
}

/** True when the request or the payer's funds caused the failure, not this server or a race. */
function isOwnDoing(error: unknown): boolean {
  return error instanceof ServiceError && error.details.payment === 'not_settled' && !isOwnFault(error.reason);
}

function tooManyAtOnce(reason: Reason, which: string): ServiceError {
  const detail = `${which}. Send this one again; its payment was not used.`;
  return new ServiceError(reason, detail, { payment: 'not_settled', retryAfterSeconds: 1 });
}
