import assert from 'node:assert/strict';
import { memoizeLast } from '../../src/operations/memoize-last.js';

describe('what is made once for a key', () => {
  it('is kept until another key is asked for', () => {
    const made: string[] = [];
    const get = memoizeLast((key: string, word: string) => made.push(`${key} ${word}`));
    assert.deepEqual([get('a', 'first'), get('a', 'again'), get('b', 'first'), get('a', 'anew')], [1, 1, 2, 3]);
    assert.deepEqual(made, ['a first', 'b first', 'a anew']);
  });

  it('is made again after a failure, which reaches all who waited for it, and which forgets nothing that came later', async () => {
    const waiting: ((error?: Error) => void)[] = [];
    const get = memoizeLast(
      (key: string) =>
        new Promise<string>((resolve, reject) => {
          waiting.push((error) => (error === undefined ? resolve(key) : reject(error)));
        }),
    );
    const [one, other] = [get('a'), get('a')];
    assert.equal(one, other);
    const later = get('b');
    waiting[0]?.(new Error('broken off'));
    await assert.rejects(one, /broken off/);
    assert.equal(get('b'), later);
    waiting[1]?.(new Error('broken off too'));
    await assert.rejects(later, /broken off too/);
    const again = get('b');
    waiting[2]?.();
    assert.equal(await again, 'b');
    assert.equal(get('b'), again);
  });
});
