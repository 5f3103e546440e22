import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { toHundredths, twoDigits } from '../../src/records/decimal-text.js';
import { exactOf, publish } from '../../src/underwriting/decimal.js';

const decimals = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 10n ** 13n }),
    fc.constantFrom('', '.', '.0', '.00'),
    fc.nat(9999),
  )
  .map(([sign, whole, point, fraction]) => `${sign}${whole}${point === '.' ? `.${fraction}` : point}`);

describe('an amount as text', () => {
  it('has two digits when published, even if it already has them', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const published = new Decimal(text).toFixed(2, Decimal.ROUND_HALF_UP);
        assert.equal(twoDigits(text), published);
        assert.equal(twoDigits(published), published);
      }),
    );
  });

  it('converts exactly to hundredths', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const published = twoDigits(text);
        assert.equal(toHundredths(published), new Decimal(published).times(100).toNumber());
      }),
    );
  });

  it('stays the same number when parsed repeatedly', () => {
    const texts = fc.sample(decimals, 6_000);
    for (const text of [...texts, ...texts]) assert.equal(exactOf(text).toFixed(), new Decimal(text).toFixed());
  });

  it('is never negative zero as a computed figure', () => {
    for (const text of ['-0.00', '-0.004', '-0', '0.00']) assert.equal(publish(exactOf(text), 2), '0.00');
  });
});
