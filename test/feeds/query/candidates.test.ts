import assert from 'node:assert/strict';
import { addPosition, bitmapWhere, firstPositions, type Bitmap } from '../../../src/feeds/query/bitmap.js';
import { createCandidates } from '../../../src/feeds/query/candidates.js';

describe('the candidates of a question', () => {
  const size = 100;
  const of = (test: (position: number) => boolean) => bitmapWhere(size, test);
  const [even, third, high] = [of((n) => n % 2 === 0), of((n) => n % 3 === 0), of((n) => n >= 50)];
  const candidates = createCandidates(size);
  const left = (end = size) => {
    candidates.cut(end);
    return firstPositions(candidates.finish(), 0, size);
  };
  const where = (test: (position: number) => boolean) => Array.from({ length: size }, (_, n) => n).filter(test);

  it('are all positions, and none beyond the last, where nothing is asked', () => {
    candidates.begin();
    assert.deepEqual(
      left(),
      where(() => true),
    );
  });

  it('are those that every set lets through, whichever comes first', () => {
    candidates.begin();
    candidates.keep(even);
    candidates.keep(third);
    candidates.drop(high);
    assert.deepEqual(
      left(),
      where((n) => n % 6 === 0 && n < 50),
    );
    candidates.begin();
    candidates.drop(high);
    candidates.keep(even);
    candidates.keep(third);
    assert.deepEqual(
      left(40),
      where((n) => n % 6 === 0 && n < 40),
    );
  });

  it('are those that are added one by one, first or after others', () => {
    const addTo = (set: Bitmap): void => where((n) => n % 7 === 0).forEach((n) => addPosition(set, n));
    candidates.begin();
    candidates.keepAdded(addTo);
    candidates.keep(even);
    assert.deepEqual(
      left(),
      where((n) => n % 14 === 0),
    );
    candidates.begin();
    candidates.keep(even);
    candidates.keepAdded(addTo);
    candidates.keepAdded((set) => addPosition(set, 28));
    assert.deepEqual(left(), [28]);
  });

  it('are none of the question before, and leave the sets as they are', () => {
    candidates.begin();
    candidates.keep(even);
    candidates.keep(high);
    left();
    candidates.begin();
    candidates.keep(even);
    assert.deepEqual(
      left(),
      where((n) => n % 2 === 0),
    );
  });
});
