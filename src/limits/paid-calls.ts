import { ServiceError } from '../errors.js';
import type { RateLimiter } from './rate-limiter.js';

/** Counts calls with an authentic payment: running ones, and those that ended without a sale. */
export interface PaidCalls {
  /**
   * Starts a call, or returns the refusal: 429 for this payer or address, 503 when all callers together have too many.
   */
  begin(payer: string, address: string): PaidCall | ServiceError;
}

/** A running call. `end` counts once; later calls of it have no effect. */
export interface PaidCall {
  /** @param blame who the failure counts against; undefined for a sale, or a failure that the caller did not cause */
  end(blame?: 'payer' | 'address'): void;
  /** Runs the sale of an admitted payment and ends the call. */
  sell<T>(sale: () => Promise<T>): Promise<T>;
}

/** Creates the counter. `unbilled` counts by payer and by address. */
export function createPaidCalls(options: {
  readonly unbilled: RateLimiter;
  readonly perPayer: number;
  readonly atOnce: number;
}): PaidCalls {
  const { unbilled, perPayer, atOnce } = options;
  const running = new Map<string, number>();
  let total = 0;

  function leave(payer: string): void {
    total -= 1;
    const left = (running.get(payer) ?? 0) - 1;
    if (left > 0) running.set(payer, left);
    else running.delete(payer);
  }

  return {
    begin(payer, address) {
      const ofPayer = running.get(payer) ?? 0;
      const refusal =
        unbilled.check(payer) ?? unbilled.check(address) ?? tooManyAtOnce(ofPayer >= perPayer, total >= atOnce);
      if (refusal !== undefined) return refusal;
      running.set(payer, ofPayer + 1);
      total += 1;
      let ended = false;
      const end: PaidCall['end'] = (blame) => {
        if (ended) return;
        ended = true;
        leave(payer);
        if (blame !== undefined) unbilled.take(blame === 'payer' ? payer : address);
      };
      return {
        end,
        async sell(sale) {
          try {
            const reply = await sale();
            end();
            return reply;
          } catch (error) {
            end(isOwnDoing(error) ? 'payer' : undefined);
            throw error;
          }
        },
      };
    },
  };
}

/** True when the request or the payer's funds caused the failure, not this server or a race. */
function isOwnDoing(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    error.details.payment === 'not_settled' &&
    !['facilitator_unavailable', 'temporarily_unavailable'].includes(error.reason)
  );
}

function tooManyAtOnce(ofPayer: boolean, ofAll: boolean): ServiceError | undefined {
  const details = { payment: 'not_settled', retryAfterSeconds: 1 } as const;
  if (ofPayer) {
    const detail = 'Too many concurrent calls from this payer. Send this one again; its payment was not used.';
    return new ServiceError('rate_limited', detail, details);
  }
  if (ofAll) {
    const detail = 'Too many concurrent paid calls. Send this one again; its payment was not used.';
    return new ServiceError('temporarily_unavailable', detail, details);
  }
  return undefined;
}
