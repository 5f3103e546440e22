import assert from 'node:assert/strict';
import { bitmapWhere, countPositions, createBitmap, firstPositions } from '../../../src/feeds/query/bitmap.js';

describe('a set of positions', () => {
  it('tells how many are in it, however large it is', () => {
    for (const size of [0, 1, 31, 32, 33, 127, 128, 129, 1_000, 4_099]) {
      for (const step of [1, 2, 3, 31, 32, 33]) {
        const set = bitmapWhere(size, (position) => position % step === 0);
        assert.equal(countPositions(set), Math.ceil(size / step), `every ${step}. of ${size}`);
        assert.equal(firstPositions(set, 0, size).length, Math.ceil(size / step), `every ${step}. of ${size}`);
      }
    }
  });

  it('tells so when all of its words are full', () => {
    const set = createBitmap(4_096).fill(0xffffffff);
    assert.equal(countPositions(set), 4_096);
  });
});
