import { LRUCache } from 'lru-cache';
import { ServiceError, type ServiceErrorDetails } from '../errors.js';

/** How many calls somebody may make, and what those are told who make more. */
export interface RatePolicy {
  /** Names the policy in the RateLimit headers. */
  readonly name: string;
  /** So many at once, and so many in each minute after that. */
  readonly callsPerMinute: number;
  /** One sentence: what to do instead. */
  readonly detail: string;
  readonly payment?: ServiceErrorDetails['payment'];
}

/** Counts calls by key: an address, a payer. */
export interface RateLimiter {
  /** Counts a call. The refusal (429) when there were too many, and then the call is not counted. */
  take(key: string): ServiceError | undefined;
  /** What `take` would say; counts nothing. */
  check(key: string): ServiceError | undefined;
}

const windowMs = 60_000;
/**
 * Of more keys, those that were seen last are remembered: a flood of addresses takes no more memory, at worst 20 MB. A
 * size, since a `max` takes its room at once.
 */
const maxKeys = 100_000;

/**
 * A leaky bucket for each key, as one number: the time at which all that was taken has run off again (GCRA). Kept in
 * memory, so that each instance counts for itself.
 */
export function createRateLimiter(policy: RatePolicy, now: () => Date): RateLimiter {
  const { callsPerMinute } = policy;
  const intervalMs = windowMs / callsPerMinute;
  const emptyAt = new LRUCache<string, number>({ maxSize: maxKeys, sizeCalculation: () => 1 });

  /**
   * When the bucket is empty, were one more call put into it. A clock that was set back keeps nobody out for longer.
   */
  function emptyAfterNext(key: string, nowMs: number): number {
    return Math.min(Math.max(emptyAt.get(key) ?? nowMs, nowMs), nowMs + windowMs) + intervalMs;
  }

  function measure(key: string, keep: boolean): ServiceError | undefined {
    const nowMs = now().getTime();
    const next = emptyAfterNext(key, nowMs);
    const waitMs = next - nowMs - windowMs;
    // A thousandth of a millisecond is no reason: intervals are fractions.
    if (callsPerMinute === 0 || waitMs > 0.001) return tooMany(policy, callsPerMinute === 0 ? windowMs : waitMs);
    if (keep) emptyAt.set(key, next);
    return undefined;
  }

  return { take: (key) => measure(key, true), check: (key) => measure(key, false) };
}

/** Header fields as in draft-ietf-httpapi-ratelimit-headers. */
function tooMany({ name, callsPerMinute, detail, payment }: RatePolicy, waitMs: number): ServiceError {
  const waitSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError('rate_limited', detail, {
    ...(payment === undefined ? {} : { payment }),
    retryAfterSeconds: waitSeconds,
    headers: {
      'RateLimit-Policy': `"${name}";q=${callsPerMinute};w=${windowMs / 1000}`,
      RateLimit: `"${name}";r=0;t=${waitSeconds}`,
    },
  });
}
