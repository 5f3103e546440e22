import assert from 'node:assert/strict';
import { ServiceError } from '../../src/errors.js';
import { createPaidCalls, type PaidCall } from '../../src/limits/paid-calls.js';
import { createRateLimiter } from '../../src/limits/rate-limiter.js';

describe('the count of paid calls', () => {
  const now = (): Date => new Date(Date.UTC(2026, 10, 21));

  function createCalls(callsPerMinute = 2, perPayer = 2, atOnce = 3) {
    const unbilled = createRateLimiter({ name: 'unbilled', callsPerMinute, detail: 'Too many.' }, now);
    return createPaidCalls({ unbilled, perPayer, atOnce });
  }

  function begun(call: PaidCall | ServiceError): PaidCall {
    assert.ok(!(call instanceof ServiceError));
    return call;
  }

  function refusedWith(call: PaidCall | ServiceError, reason: string): void {
    assert.ok(call instanceof ServiceError);
    assert.equal(call.reason, reason);
    assert.ok(call.details.retryAfterSeconds);
  }

  it('lets so many calls of a payer run at once, and so many of all, until one has ended', () => {
    const calls = createCalls();
    const first = begun(calls.begin('a', 'x'));
    begun(calls.begin('a', 'x'));
    refusedWith(calls.begin('a', 'x'), 'rate_limited');
    begun(calls.begin('b', 'x'));
    refusedWith(calls.begin('c', 'x'), 'temporarily_unavailable');
    first.end();
    first.end();
    begun(calls.begin('c', 'x'));
    refusedWith(calls.begin('d', 'x'), 'temporarily_unavailable');
  });

  it('counts for the payer or the address what ended without a sale, and sales for nobody', async () => {
    const calls = createCalls();
    for (let sales = 0; sales < 5; sales++)
      assert.equal(await begun(calls.begin('a', 'x')).sell(async () => 'data'), 'data');
    for (let failures = 0; failures < 2; failures++) begun(calls.begin('a', 'x')).end('payer');
    refusedWith(calls.begin('a', 'y'), 'rate_limited');
    for (let failures = 0; failures < 2; failures++) begun(calls.begin('b', 'x')).end('address');
    refusedWith(calls.begin('c', 'x'), 'rate_limited');
    begun(calls.begin('c', 'y'));
  });

  const failures: readonly (readonly [what: string, error: Error, counted: boolean])[] = [
    ['nothing that matches', new ServiceError('no_records_match', '', { payment: 'not_settled' }), true],
    ['a settlement that failed', new ServiceError('settlement_failed', '', { payment: 'not_settled' }), true],
    ['an outcome that is not known', new ServiceError('settlement_unknown', '', { payment: 'unknown' }), false],
    ['a copy that was slower', new ServiceError('payment_in_progress', '', { payment: 'unknown' }), false],
    ['a chain that is away', new ServiceError('facilitator_unavailable', '', { payment: 'not_settled' }), false],
    ['a fault of this server', new Error('broken'), false],
  ];
  for (const [what, error, counted] of failures) {
    it(`${counted ? 'counts' : 'does not count'} ${what}`, async () => {
      const calls = createCalls(1);
      await assert.rejects(
        begun(calls.begin('a', 'x')).sell(() => Promise.reject(error)),
        error,
      );
      assert.equal(calls.begin('a', 'x') instanceof ServiceError, counted);
    });
  }
});
