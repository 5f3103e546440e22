import assert from 'node:assert/strict';
import { ServiceError } from '../../src/errors.js';
import { createPaidCalls, type PaidCall, type PaidCalls } from '../../src/limits/paid-calls.js';
import { createRateLimiter } from '../../src/limits/rate-limiter.js';

describe('the count of paid calls', () => {
  const now = (): number => 0;

  function createCalls(callsPerMinute = 2, perPayer = 2, atOnce = 3) {
    const unbilled = createRateLimiter({ name: 'unbilled', callsPerMinute, detail: 'Too many.' }, now);
    return createPaidCalls({ unbilled, perPayer, atOnce });
  }

  let payments = 0;
  /** A call with a payment of its own. */
  function begin(calls: PaidCalls, payer: string, address: string) {
    return calls.begin({ payer, address, payment: `payment ${++payments}` });
  }

  function begun(call: ReturnType<PaidCalls['begin']>): PaidCall {
    assert.ok(typeof call === 'object' && !(call instanceof ServiceError));
    return call;
  }

  function refusedWith(call: ReturnType<PaidCalls['begin']>, reason: string): void {
    assert.ok(call instanceof ServiceError);
    assert.equal(call.reason, reason);
    assert.ok(call.details.retryAfterSeconds);
  }

  it('lets so many calls of a payer run at once, and so many of all, until one has ended', () => {
    const calls = createCalls();
    const first = begun(begin(calls, 'a', 'x'));
    begun(begin(calls, 'a', 'x'));
    refusedWith(begin(calls, 'a', 'x'), 'rate_limited');
    begun(begin(calls, 'b', 'x'));
    refusedWith(begin(calls, 'c', 'x'), 'temporarily_unavailable');
    first.end();
    first.end();
    begun(begin(calls, 'c', 'x'));
    refusedWith(begin(calls, 'd', 'x'), 'temporarily_unavailable');
  });

  it('knows a copy of a call that runs by its payment, whoever sends it, until that has ended', () => {
    const calls = createCalls();
    const first = begun(calls.begin({ payer: 'a', address: 'x', payment: 'one' }));
    assert.equal(calls.begin({ payer: 'a', address: 'y', payment: 'one' }), 'copy');
    begun(calls.begin({ payer: 'a', address: 'x', payment: 'another' }));
    first.end();
    begun(calls.begin({ payer: 'a', address: 'y', payment: 'one' }));
  });

  it('counts for the payer or the address what ended without a sale, and sales for nobody', () => {
    const calls = createCalls();
    for (let sales = 0; sales < 5; sales++) begun(begin(calls, 'a', 'x')).end();
    for (let failures = 0; failures < 2; failures++) begun(begin(calls, 'a', 'x')).end('payer');
    refusedWith(begin(calls, 'a', 'y'), 'rate_limited');
    for (let failures = 0; failures < 2; failures++) begun(begin(calls, 'b', 'x')).end('address');
    refusedWith(begin(calls, 'c', 'x'), 'rate_limited');
    begun(begin(calls, 'c', 'y'));
  });

  const failures: readonly (readonly [what: string, error: Error, counted: boolean])[] = [
    ['nothing that matches', new ServiceError('no_records_match', '', { payment: 'not_settled' }), true],
    ['a settlement that failed', new ServiceError('settlement_failed', '', { payment: 'not_settled' }), true],
    ['an outcome that is not known', new ServiceError('settlement_unknown', '', { payment: 'unknown' }), false],
    ['a copy that was slower', new ServiceError('payment_in_progress', '', { payment: 'unknown' }), false],
    ['a chain that is away', new ServiceError('chain_unavailable', '', { payment: 'not_settled' }), false],
    ['a facilitator that is away', new ServiceError('facilitator_unavailable', '', { payment: 'not_settled' }), false],
    ['a fault of this server', new Error('broken'), false],
  ];
  for (const [what, error, counted] of failures) {
    it(`${counted ? 'counts' : 'does not count'} ${what}`, () => {
      const calls = createCalls(1);
      begun(begin(calls, 'a', 'x')).fail(error);
      assert.equal(begin(calls, 'a', 'x') instanceof ServiceError, counted);
    });
  }
});
