import assert from 'node:assert/strict';
import { hexOf, terms } from '../../simulation/purchase.js';
import { checkTerms } from '../../../src/payments/gate/check-terms.js';
import { requirementsFor } from '../../../src/payments/terms.js';

const now = new Date('2026-11-28T04:00:00.900Z');
const nowSeconds = BigInt(Math.floor(now.getTime() / 1000));

/** The refusal of a payment that is valid for so many more seconds, and right in all else. */
function check(seconds: bigint) {
  const requirements = requirementsFor(terms, 20_000n);
  const authorization = {
    from: hexOf(1, 20),
    to: terms.payTo,
    value: 20_000n,
    validAfter: nowSeconds,
    validBefore: nowSeconds + seconds,
    nonce: hexOf(1, 32),
    signature: hexOf(1, 65),
  };
  const product = {
    requirements,
    asked: { path: '/api/deals/hot', resource: '/api/deals/hot' },
    publicBaseUrl: 'https://deals.example',
    isResource: () => true,
  } as unknown as Parameters<typeof checkTerms>[2];
  return checkTerms(
    { x402Version: 2, accepted: requirements } as unknown as Parameters<typeof checkTerms>[0],
    authorization,
    product,
    now,
  );
}

describe('checkTerms', () => {
  it('takes a window that ends in 10 s to 3,660 s, though the price announces 300 s', () => {
    assert.equal(requirementsFor(terms, 20_000n).maxTimeoutSeconds, 300);
    for (const seconds of [10n, 300n, 361n, 3_600n, 3_660n]) assert.equal(check(seconds), undefined);
  });

  it('calls a window expired that ends sooner', () => {
    const { reason, details } = check(9n) ?? assert.fail('it was taken');
    assert.deepEqual(
      [reason, details.payment, details.paymentError],
      ['payment_expired', 'not_settled', 'invalid_exact_evm_payload_authorization_valid_before'],
    );
  });

  it('says of a longer window how long it may be, by a code that does not mean expired', () => {
    for (const validFor of [3_661n, 86_400n, 2n ** 255n]) {
      const { reason, message, details } = check(validFor) ?? assert.fail('it was taken');
      assert.equal(message, 'The authorization may end 3,660 seconds from now at most.');
      assert.deepEqual(
        [reason, details.payment, details.paymentError],
        ['payment_invalid', 'not_settled', 'invalid_payload'],
      );
    }
  });
});
