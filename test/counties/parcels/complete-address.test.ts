import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absent, isKnown, known, type Maybe } from '../../../src/absence.js';
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
        const completed = completeAddress(own, judgeOwnAddress({ ...own, countyFips: '39035' }), roll);
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

const stated = (address: Maybe<string>) => ({ address, countyFips: '39035', zip: absent('not_stated_by_source') });

describe('judgeOwnAddress', () => {
  for (const [text, verdict] of [
    ['100 Example Ave', 'usable'],
    ['2081 E 9th St', 'usable'],
    ['1200 W Ontario St', 'usable'],
    ['1200 Ontario St', 'none'],
    ['1200 Ontario Street, 2nd Floor', 'none'],
    ['1200 ONTARIO', 'none'],
    ['2079 East Ninth Street', 'none'],
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
      assert.equal(judgeOwnAddress(stated(known(text))), verdict);
    });
  }

  it('takes the address of a venue for a property in another county, and in another ZIP', () => {
    const street = known('1200 Ontario St');
    assert.equal(judgeOwnAddress({ address: street, countyFips: '39049', zip: known('44113') }), 'usable');
    assert.equal(judgeOwnAddress({ address: street, countyFips: '39035', zip: known('44147') }), 'usable');
    assert.equal(judgeOwnAddress({ address: street, countyFips: '39035', zip: known('44113') }), 'none');
    const toledo = { address: known('One Government Center'), countyFips: '39095', zip: known('43604') };
    assert.equal(judgeOwnAddress(toledo), 'none');
  });

  it('uses the reason when there is no text', () => {
    assert.equal(judgeOwnAddress(stated(absent('no_situs_address'))), 'none');
    assert.equal(judgeOwnAddress(stated(absent('suppressed_by_policy'))), 'suppressed');
    assert.equal(judgeOwnAddress(stated(absent('parse_failed'))), 'missing');
  });
});

describe('situsOf', () => {
  const situs = (address: Maybe<string>) => situsOf(stated(address));

  it('normalizes a situs, and is undefined without one', () => {
    assert.equal(situs(known('200  roll st.')), situs(known('200 ROLL ST')));
    assert.notEqual(situs(known('200 ROLL ST')), situs(known('202 ROLL ST')));
    assert.equal(situs(known('0 ROLL ST')), undefined);
    assert.equal(situs(absent('no_situs_address')), undefined);
  });
});
