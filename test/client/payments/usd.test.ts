import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatUsd, parseUsd } from '../../../src/client/payments/usd.js';

describe('dollars on the command line', () => {
  it('always writes cents, and smaller fractions only when not zero', () => {
    assert.equal(formatUsd(50_000n), '$0.05');
    assert.equal(formatUsd(1_500_000n), '$1.50');
    assert.equal(formatUsd(1_234_567n), '$1.234567');
    assert.equal(formatUsd(1_234_500n), '$1.2345');
    assert.equal(formatUsd(0n), '$0.00');
  });

  it('parses every amount that it writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (atomic) => {
        assert.equal(parseUsd(formatUsd(atomic)), atomic);
      }),
    );
  });

  it('rejects what is no amount, or would lose a digit', () => {
    for (const text of [
      '',
      '$',
      '.5',
      '5.',
      '-1',
      '+1',
      '1e3',
      '0x10',
      '1,000',
      '1.0000001',
      ' 1',
      'NaN',
      'Infinity',
    ]) {
      assert.equal(parseUsd(text), undefined, text);
    }
  });
});
