import assert from 'node:assert/strict';
import { matchAddresses } from '../../../src/places/addresses/match.js';
import { normalizeAddress } from '../../../src/places/addresses/normalize.js';

describe('a county road with a number of five digits', () => {
  const at = (street: string, zip?: string) =>
    normalizeAddress({ street, city: 'Paris', state: 'TX', ...(zip !== undefined && { zip }) });

  it('is another road, not a unit, when its next number differs', () => {
    const [one, other] = ['43510', '44680'].map((road) => at(`1234 County Road ${road}`, '75462'));
    assert.ok(one && other);
    assert.equal(matchAddresses(one, other), undefined);
  });

  it('has no ZIP in its number, in any spelling', () => {
    for (const street of ['1234 County Road 43510', '1234 CR 43510', '1234 CR-43510', '1234 Co Rd 43510']) {
      assert.equal(
        matchAddresses(at(street), at('1234 County Road 43510', '75462'))?.matchType,
        'exact_no_zip',
        street,
      );
    }
  });

  it('is distinguished from the ZIP that a source repeats after the street', () => {
    const repeated = normalizeAddress({ street: '5555 State Rd 44134', city: 'Parma', state: 'OH', zip: '44134' });
    const plain = normalizeAddress({ street: '5555 State Rd', city: 'Parma', state: 'OH', zip: '44134' });
    assert.deepEqual(repeated, plain);
  });
});
