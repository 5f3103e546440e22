import assert from 'node:assert/strict';
import { hundredthsAtLeast, hundredthsAtMost } from '../../src/api/data/filters-from-query.js';

describe('thresholds of filters', () => {
  it('become hundredths without rounding a record in or out', () => {
    assert.equal(hundredthsAtLeast(8.5), 850);
    assert.equal(hundredthsAtLeast(8.501), 851);
    assert.equal(hundredthsAtMost(8.509), 850);
    assert.equal(hundredthsAtLeast(1.1), 110, '1.1 * 100 is 110.00000000000001 in floats');
    assert.equal(hundredthsAtMost(4.35), 435, '4.35 * 100 is 434.99999999999994 in floats');
    assert.equal(hundredthsAtLeast(1_000_000_000_000), 100_000_000_000_000);
    assert.equal(hundredthsAtLeast(1e-9), 1);
  });
});
