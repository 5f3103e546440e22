import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parcelKey } from '../../../src/places/addresses/parcel.js';

describe('parcelKey', () => {
  it('gives a dashed and a bare Cook County PIN one key', () => {
    assert.equal(parcelKey('17031', '07-18-411-025-0000'), 'US:17031:07184110250000');
    assert.equal(parcelKey('17031', '07184110250000'), 'US:17031:07184110250000');
  });

  it('keeps leading zeros and letters, upper case, and drops every separator', () => {
    assert.equal(parcelKey('39035', ' 008.14/a_025 '), 'US:39035:00814A025');
  });

  it('keeps equal numbers of two counties separate', () => {
    assert.notEqual(parcelKey('39035', '1'), parcelKey('39049', '1'));
  });

  it('returns no key for an invalid parcel number', () => {
    const words = ['N/A', 'unknown', 'MULTIPLE PARCELS', 'Multiple Parcels (3)', 'Property Appraiser', 'see legal'];
    for (const raw of ['', ' - ', '000-00-000', ...words, '1'.repeat(65)]) {
      assert.equal(parcelKey('39035', raw), undefined, raw);
    }
    for (const fips of ['', '3903', '390350', 'OH035']) assert.equal(parcelKey(fips, '1'), undefined, fips);
  });

  it('never throws, and its key is a fixed point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (raw) => {
        const key = parcelKey('39035', raw);
        if (key === undefined) return;
        assert.match(key, /^US:39035:[A-Z0-9]+$/);
        assert.equal(parcelKey('39035', key.slice('US:39035:'.length)), key);
      }),
    );
  });
});
