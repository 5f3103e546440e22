import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sortByNumber } from '../../../src/feeds/query/order-rows.js';

describe('rows that are sorted by their numbers', () => {
  for (const count of [0, 1, 60, 5_000])
    it(`are in order, and equal ones as they stood: ${count} rows`, async () => {
      const number = fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.constantFrom(0, -0, 1, -1, 2 ** 40, -(2 ** 40)),
      );
      const drawn = Float64Array.from(fc.sample(number, { numRuns: Math.max(1, count) })).subarray(0, count);
      const whole = drawn.map((_, row) => Math.round(((row * 48_271) % 4_999) * 2 ** (row % 37)) - 2 ** 40);
      for (const numbers of [
        drawn,
        drawn.map((each) => Math.round(each) % 7),
        new Float64Array(count).fill(3),
        whole,
      ]) {
        const rows = Uint32Array.from({ length: count }, (_, row) => row).filter((row) => row % 5 !== 1);
        const expected = [...rows].sort((one, other) => (numbers[one] ?? 0) - (numbers[other] ?? 0) || one - other);
        const numbered = { rows, numbers: Float64Array.from(rows, (row) => numbers[row] ?? 0) };
        await sortByNumber(numbered, () => Promise.resolve());
        assert.deepEqual([...numbered.rows], expected);
        assert.deepEqual(
          [...numbered.numbers],
          expected.map((row) => (numbers[row] ?? 0) + 0),
        );
      }
    });
});
