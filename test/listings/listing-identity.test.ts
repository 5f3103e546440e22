import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import { identifyListing } from '../../src/listings/listing-identity.js';
import { identify, observe } from './observation.js';

const idOf = (source: string, listing = observe()) => identifyListing(source, listing, identify).id;

describe('identifyListing', () => {
  it('gives one property the same id at every source, on every machine', () => {
    const there = observe({ sourceKey: 'other', address: known('1 MAIN ST') });
    assert.equal(idOf('a'), idOf('b', there));
    assert.equal(idOf('a'), 'ab432ae2-001c-59d0-b20e-028a17a2af3c');
  });

  it('distinguishes properties with another address or ZIP', () => {
    assert.notEqual(idOf('a'), idOf('a', observe({ address: known('2 Main St') })));
    assert.notEqual(idOf('a'), idOf('a', observe({ zip: known('44106') })));
  });

  for (const [what, overrides] of [
    ['no ZIP', { zip: absent('not_stated_by_source') }],
    ['no address', { address: absent('suppressed_by_policy') }],
    ['an address that cannot be read', { address: known('Corner of Main') }],
  ] as const) {
    it(`uses the source's own key when a listing has ${what}`, () => {
      const listing = observe(overrides);
      assert.equal(identifyListing('a', listing, identify).identity, 'source:a:k1');
      assert.notEqual(idOf('a', listing), idOf('b', listing));
      assert.notEqual(idOf('a', listing), idOf('a', { ...listing, sourceKey: 'k2' }));
    });
  }
});
