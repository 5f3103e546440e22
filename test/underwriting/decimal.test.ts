import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Exact, publish, publishRatio } from '../../src/underwriting/decimal.js';

const cents = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map((whole) => new Exact(whole.toString()).div(100));
const halves = fc.integer({ min: -100_000, max: 100_000 }).map((odd) => new Exact(2 * odd + 1).div(200));
const shares = fc.integer({ min: 1, max: 10 ** 9 }).map((whole) => new Exact(whole).div(new Exact(10).pow(12)));

describe('a ratio as published', () => {
  it('is the exact quotient rounded half-up, also on ties, near them, and for amounts beyond doubles', () => {
    fc.assert(
      fc.property(
        fc.oneof(cents, halves),
        fc.oneof(cents, shares, fc.constant(new Exact(1))),
        fc.oneof(fc.constant(new Exact(0)), shares),
        fc.constantFrom(0, 1, 2),
        fc.constantFrom(1 as const, 100 as const),
        (one, other, beside, digits, factor) => {
          if (other.isZero()) return;
          const numerator = one.times(other).plus(beside);
          for (const each of [one, numerator])
            assert.equal(
              publishRatio(each, other, digits, factor),
              publish(each.times(factor).div(other), digits),
              `${each.toFixed()} / ${other.toFixed()}`,
            );
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('a figure as published', () => {
  it('has its digits, rounded half-up, and no sign where it is nothing', () => {
    const cases = [
      ['1.005', 2, '1.01'],
      ['-1.005', 2, '-1.01'],
      ['0.004', 2, '0.00'],
      ['-0.004', 2, '0.00'],
      ['-0', 2, '0.00'],
      ['12', 2, '12.00'],
      ['12.5', 2, '12.50'],
      ['12.5', 0, '13'],
      ['123456789012345678.125', 2, '123456789012345678.13'],
      ['0.00000001', 10, '0.0000000100'],
    ] as const;
    for (const [value, digits, text] of cases) assert.equal(publish(new Exact(value), digits), text);
  });
});
