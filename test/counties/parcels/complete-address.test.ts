import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absent, isKnown, known } from '../../../src/absence.js';
import { judgeOwnAddress } from '../../../src/places/addresses/own-address.js';
import { completeAddress, type ParcelPlaces } from '../../../src/counties/parcels/complete-address.js';
import { situsOf } from '../../../src/counties/parcels/parcel-identity.js';
import { assertMaybe, maybe } from '../../support/arbitrary-maybe.js';

const streets = fc.constantFrom('100 Example Ave', '0 Example Ave', 'Example Ave', 'PO BOX 4', 'Justice Center', '?');
const place = fc.record({
  address: maybe(streets),
  city: maybe(fc.constant('Cleveland')),
  zip: maybe(fc.constant('44105')),
});
const parcel: fc.Arbitrary<ParcelPlaces> = fc
  .record({
    places: fc.array(
      place.map((each) => ({ ...each, address: known('7 Roll St') })),
      { maxLength: 3 },
    ),
    isListed: fc.boolean(),
    isRollComplete: fc.boolean(),
  })
  .map((each) => ({ ...each, isListed: each.isListed || each.places.length > 0 }));

describe('completeAddress', () => {
  it('returns an address exactly when the status is complete, and else the reason of the status, for any missing part', () => {
    fc.assert(
      fc.property(place, parcel, (own, roll) => {
        const completed = completeAddress(own, judgeOwnAddress(own.address), roll);
        assert.equal(isKnown(completed.address), completed.addressStatus === 'complete');
        for (const name of ['address', 'city', 'zip'] as const) assertMaybe(name, completed[name]);
        const reasons: Record<string, readonly string[]> = {
          pending_parcel_lookup: ['pending_parcel_lookup'],
          parcel_lookup_failed: ['parcel_lookup_failed'],
          no_situs_address: ['no_situs_address'],
          ambiguous: ['ambiguous_match'],
          suppressed: ['suppressed_by_owner', 'suppressed_by_policy'],
        };
        if ('absent' in completed.address)
          assert.ok(reasons[completed.addressStatus]?.includes(completed.address.absent), completed.addressStatus);
      }),
      { numRuns: 2000 },
    );
  });

  it("prefers the record's own address, and never looks up a suppressed one", () => {
    const roll = {
      places: [{ address: known('7 Roll St'), city: known('X'), zip: known('1') }],
      isListed: true,
      isRollComplete: true,
    };
    const own = {
      address: known('100 Example Ave'),
      city: known('Cleveland'),
      zip: absent('not_stated_by_source'),
    } as const;
    assert.deepEqual(completeAddress(own, 'usable', roll), { ...own, addressStatus: 'complete' });
    const suppressed = { ...own, address: absent('suppressed_by_owner') };
    assert.deepEqual(completeAddress(suppressed, 'suppressed', roll), { ...suppressed, addressStatus: 'suppressed' });
  });
});

describe('judgeOwnAddress', () => {
  for (const [text, verdict] of [
    ['100 Example Ave', 'usable'],
    ['2079 E 9th St', 'usable'],
    ['3456-58 N Example St', 'usable'],
    ['N6W23001 Example Rd', 'usable'],
    ['One Example Plaza', 'usable'],
    ['12 1/2 Example St', 'usable'],
    ['100 Courthouse Rd', 'usable'],
    ['0 Example Ave', 'none'],
    ['00000 Example Ave', 'none'],
    ['Example Ave', 'none'],
    ['V/L Example Ave', 'none'],
    ['100', 'none'],
    ['12 PO Box 34', 'none'],
    ['123 Example St PO Box 4', 'usable'],
    ['PO Box 12', 'missing'],
    ['41 N Example St Courthouse', 'missing'],
    ['Justice Center, 1200 Ontario St', 'missing'],
    ['', 'missing'],
    ['--', 'missing'],
  ] as const) {
    it(`classifies ${JSON.stringify(text)} as ${verdict}`, () => {
      assert.equal(judgeOwnAddress(known(text)), verdict);
    });
  }

  it('uses the reason when there is no text', () => {
    assert.equal(judgeOwnAddress(absent('no_situs_address')), 'none');
    assert.equal(judgeOwnAddress(absent('suppressed_by_policy')), 'suppressed');
    assert.equal(judgeOwnAddress(absent('parse_failed')), 'missing');
  });
});

describe('situsOf', () => {
  it('normalizes a situs, and is undefined without one', () => {
    assert.equal(situsOf(known('200  roll st.')), situsOf(known('200 ROLL ST')));
    assert.notEqual(situsOf(known('200 ROLL ST')), situsOf(known('202 ROLL ST')));
    assert.equal(situsOf(known('0 ROLL ST')), undefined);
    assert.equal(situsOf(absent('no_situs_address')), undefined);
  });
});
