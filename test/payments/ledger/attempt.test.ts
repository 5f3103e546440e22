import assert from 'node:assert/strict';
import { toAttempt } from '../../../src/payments/build-claim.js';
import type { VerifiedPayment } from '../../../src/payments/verified-payment.js';
import { buildClaim } from './build-claim.js';

describe('the attempt of a claim', () => {
  it('looks for what was sent before where the claim was long in the making', () => {
    const isTakenOverAt = (seconds: number) =>
      toAttempt(
        {} as VerifiedPayment,
        buildClaim(),
        { kind: 'claimed', claimedAt: new Date(0), mayShare: true },
        seconds * 1_000,
      ).isTakenOver;
    assert.deepEqual([0, 2, 3, 60].map(isTakenOverAt), [false, false, true, true]);
  });
});
