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
  it('has two digits when it is published, also where it has them already', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const published = new Decimal(text).toFixed(2, Decimal.ROUND_HALF_UP);
        assert.equal(twoDigits(text), published);
        assert.equal(twoDigits(published), published);
      }),
    );
  });

  it('is as many hundredths, to the last', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const published = twoDigits(text);
        assert.equal(toHundredths(published), new Decimal(published).times(100).toNumber());
      }),
    );
  });

  it('is the same number however often it is read', () => {
    const texts = fc.sample(decimals, 6_000);
    for (const text of [...texts, ...texts]) assert.equal(exactOf(text).toFixed(), new Decimal(text).toFixed());
  });

  it('is never a negative nothing where it is a figure of this service', () => {
    for (const text of ['-0.00', '-0.004', '-0', '0.00']) assert.equal(publish(exactOf(text), 2), '0.00');
  });
});
