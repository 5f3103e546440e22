import { ServiceError } from '../errors.js';
import type { RateLimiter } from './rate-limiter.js';

/** Counts the calls with an authentic payment: how many run, and how many ended without a sale. */
export interface PaidCalls {
  /** Begins a call, or says why it must wait: 429 for this payer or address, 503 when there are too many of all. */
  begin(payer: string, address: string): PaidCall | ServiceError;
}

/** One call that runs. It must be ended, once; what comes after that counts for nothing. */
export interface PaidCall {
  /** @param blame whom to count a failure for; nobody when it is a sale, or not the caller's doing. */
  end(blame?: 'payer' | 'address'): void;
  /** Runs the sale of an admitted payment and ends the call. */
  sell<T>(sale: () => Promise<T>): Promise<T>;
}

/** Creates the count. `unbilled` counts by payer and by address. */
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

/** Nothing was sold because of what was asked or of what the payer has: not because of this server or of a race. */
function isOwnDoing(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    error.details.payment === 'not_settled' &&
    !['facilitator_unavailable', 'temporarily_unavailable'].includes(error.reason)
  );
}

function tooManyAtOnce(ofPayer: boolean, ofAll: boolean): ServiceError | undefined {
  const told = { payment: 'not_settled', retryAfterSeconds: 1 } as const;
  if (ofPayer) {
    const detail = 'Too many calls of this payer run at once. Send this one again; its payment was not used.';
    return new ServiceError('rate_limited', detail, told);
  }
  if (ofAll) {
    const detail = 'Too many paid calls run at once. Send this one again; its payment was not used.';
    return new ServiceError('temporarily_unavailable', detail, told);
  }
  return undefined;
}
