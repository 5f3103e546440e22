import assert from 'node:assert/strict';
import { normalizeAddress } from '../../../src/places/addresses/normalize.js';
import { isNormalizedAddress } from '../../../src/places/addresses/normalized-address.js';
import { placeKeys } from '../../../src/places/addresses/place-keys.js';

describe('the keys of a place', () => {
  it('are each number of a range, by ZIP and by city', () => {
    assert.deepEqual(keysOf('10-14 Elm St, Akron, OH 44301'), [
      ...['OH|44301|10', 'OH|AKRON|10', 'OH|44301|12'],
      ...['OH|AKRON|12', 'OH|44301|14', 'OH|AKRON|14'],
    ]);
    assert.deepEqual(keysOf('10 Elm St, Akron, OH'), ['OH|AKRON|10']);
    assert.deepEqual(keysOf('10 Elm St, OH 44301'), ['OH|44301|10']);
  });

  it('are all numbers of even the widest accepted range', () => {
    const numbers = Array.from({ length: 101 }, (_, index) => `OH|AKRON|${100 + 2 * index}`);
    assert.deepEqual(keysOf('100-300 Elm St, Akron, OH'), numbers);
  });

  it('are the numbers of a list, and a number in other notation unchanged', () => {
    assert.deepEqual(keysOf('10 & 20 Elm St, Akron, OH'), ['OH|AKRON|10', 'OH|AKRON|20']);
    assert.deepEqual(keysOf('7A Elm St, Akron, OH'), ['OH|AKRON|7A']);
  });
});

function keysOf(line: string): string[] {
  const address = normalizeAddress(line);
  assert.ok(isNormalizedAddress(address), line);
  return placeKeys(address);
}
