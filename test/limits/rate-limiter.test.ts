import assert from 'node:assert/strict';
import { createRateLimiter } from '../../src/limits/rate-limiter.js';

describe('a rate limiter', () => {
  let nowMs = 0;
  const now = (): number => nowMs;
  const policy = { name: 'unpaid', callsPerMinute: 6, detail: 'Too many.' };

  function takeMany(limiter: ReturnType<typeof createRateLimiter>, key: string, count: number): number {
    return Array.from({ length: count }, () => limiter.take(key)).filter((refusal) => refusal === undefined).length;
  }

  it('lets as many calls through at once as there are in a minute, and then one for each that has run off', () => {
    const limiter = createRateLimiter(policy, now);
    assert.equal(takeMany(limiter, 'a', 20), 6);
    nowMs += 9_999;
    assert.equal(takeMany(limiter, 'a', 5), 0);
    nowMs += 1;
    assert.equal(takeMany(limiter, 'a', 5), 1);
    nowMs += 3_600_000;
    assert.equal(takeMany(limiter, 'a', 20), 6, 'nobody saves up more than a minute of calls');
  });

  it('counts each key for itself, and nothing for a call that it refused or was only asked about', () => {
    const limiter = createRateLimiter(policy, now);
    assert.equal(takeMany(limiter, 'a', 100), 6);
    assert.equal(limiter.check('b'), undefined);
    assert.equal(takeMany(limiter, 'b', 7), 6);
    nowMs += 10_000;
    assert.equal(takeMany(limiter, 'a', 2), 1);
  });

  it('tells when to come back, in Retry-After and in the RateLimit headers, and that is when there is a call again', () => {
    const limiter = createRateLimiter(policy, now);
    takeMany(limiter, 'a', 6);
    nowMs += 2_500;
    const refusal = limiter.take('a');
    assert.equal(refusal?.reason, 'rate_limited');
    assert.equal(refusal.details.retryAfterSeconds, 8);
    assert.deepEqual(refusal.details.headers, {
      'RateLimit-Policy': '"unpaid";q=6;w=60',
      RateLimit: '"unpaid";r=0;t=8',
    });
    nowMs += 8_000;
    assert.equal(limiter.take('a'), undefined);
  });

  it('lets nothing through where the limit is zero', () => {
    const refusal = createRateLimiter({ ...policy, callsPerMinute: 0 }, now).take('a');
    assert.equal(refusal?.details.retryAfterSeconds, 60);
  });

  it('remembers the last hundred thousand keys of any number', () => {
    const limiter = createRateLimiter({ ...policy, callsPerMinute: 1 }, now);
    const flood = Array.from({ length: 150_000 }, (_, seed) => `address ${seed}`);
    for (const key of flood) limiter.take(key);
    const remembered = flood.filter((key) => limiter.check(key) !== undefined);
    assert.deepEqual([remembered.length, remembered[0]], [100_000, flood[50_000]]);
  });
});
