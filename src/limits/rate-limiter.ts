import { LRUCache } from 'lru-cache';
import { ServiceError, type ServiceErrorDetails } from '../errors.js';

/** A rate limit, and the answer to callers over it. */
export interface RatePolicy {
  /** Name of the policy in the RateLimit headers. */
  readonly name: string;
  /** Maximum burst, and the sustained rate per minute. */
  readonly callsPerMinute: number;
  /** One sentence that says what to do instead. */
  readonly detail: string;
  readonly payment?: ServiceErrorDetails['payment'];
}

/** Counts calls by key: an address or a payer. */
export interface RateLimiter {
  /** Counts a call. Returns the refusal (429) when over the limit; then the call is not counted. */
  take(key: string): ServiceError | undefined;
  /** Returns the result of `take` without counting. */
  check(key: string): ServiceError | undefined;
}

const windowMs = 60_000;
/**
 * Maximum number of remembered keys, most recent first, so that a flood of addresses takes at most 20 MB. Used as
 * maxSize, not max: lru-cache preallocates `max` slots.
 */
const maxKeys = 100_000;

/**
 * A leaky bucket per key, stored as one number: the time at which it will be empty (GCRA). Kept in memory; each
 * instance counts for itself.
 *
 * @param elapsedMs milliseconds of a monotonic clock
 */
export function createRateLimiter(policy: RatePolicy, elapsedMs: () => number): RateLimiter {
  const { callsPerMinute } = policy;
  const intervalMs = windowMs / callsPerMinute;
  const emptyAt = new LRUCache<string, number>({ maxSize: maxKeys });

  function take(key: string, isCounted = true): ServiceError | undefined {
    const nowMs = elapsedMs();
    // When the bucket would be empty after one more call.
    const next = Math.max(emptyAt.get(key) ?? nowMs, nowMs) + intervalMs;
    const waitMs = next - nowMs - windowMs;
    // Tolerance for rounding: intervals are fractions of a millisecond.
    if (callsPerMinute === 0 || waitMs > 0.001) return tooMany(policy, callsPerMinute === 0 ? windowMs : waitMs);
    if (isCounted) emptyAt.set(key, next, { size: 1 });
    return undefined;
  }

  return { take, check: (key) => take(key, false) };
}

/** Headers as in draft-ietf-httpapi-ratelimit-headers. */
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

/**
 * The key under which calls from an address are counted: an IPv4 address unchanged, also when written as IPv6. For any
 * other IPv6 address the first 64 bits, since a caller usually owns all addresses below them.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  // Fast path: the form in which the system writes most addresses.
  const written = /^(?:(?:0|[1-9a-f][0-9a-f]{0,3}):){4}/.exec(address)?.[0];
  if (written !== undefined) return `${written}:/64`;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - first.length - (tail === '' ? 0 : tail.split(':').length);
  const groups = [...first, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
