import assert from 'node:assert/strict';
import { toAttempt } from '../../../src/payments/build-claim.js';
import type { VerifiedPayment } from '../../../src/payments/verified-payment.js';
import { after, buildClaim } from './build-claim.js';

describe('the attempt of a claim', () => {
  it('looks for what was sent before where the claim was long in the making', () => {
    const claim = buildClaim({ claimedAt: after(0) });
    const isTakenOverAt = (seconds: number) =>
      toAttempt({} as VerifiedPayment, claim, { kind: 'claimed', mayShare: true }, after(seconds)).isTakenOver;
    assert.deepEqual([0, 2, 3, 60].map(isTakenOverAt), [false, false, true, true]);
  });
});
