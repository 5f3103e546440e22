import assert from 'node:assert/strict';
import { absent, known } from '../../../../src/absence.js';
import { parseListingRow } from '../../../../src/sources/formats/parse-listing-row.js';
import { listingMapping, toListingColumns } from '../../../../src/sources/formats/reso/listing-columns.js';

function observe(UnitTypes: unknown, NumberOfUnitsTotal?: unknown) {
  const place = { City: 'Cleveland', StateOrProvince: 'OH' };
  const columns = toListingColumns({ ListingKey: 'a', ...place, UnitTypes, NumberOfUnitsTotal });
  const mapping = { marketplace: 'Example MLS', mapping: listingMapping, values: undefined };
  const listing = parseListingRow(columns, 'a', mapping, 2026);
  if ('reject' in listing) assert.fail(listing.detail);
  return listing;
}

describe('the unit mix of a RESO listing', () => {
  const oneBedroom = { UnitTypeType: '1 Bedroom', UnitTypeBedsTotal: 1, UnitTypeUnitsTotal: 3 };
  const studio = { UnitTypeType: 'Studio', UnitTypeBedsTotal: 0, UnitTypeUnitsTotal: 1 };

  it('counts units by bedrooms', () => {
    const mix = [
      { bedrooms: 0, units: 1 },
      { bedrooms: 1, units: 3 },
    ];
    assert.deepEqual(observe([oneBedroom, studio]).unitMix, known(mix));
  });

  it('is parse_failed when a unit type lacks its bedrooms or its number', () => {
    for (const untold of [{ UnitTypeType: 'Loft', UnitTypeUnitsTotal: 1 }, { UnitTypeBedsTotal: 2 }, null])
      assert.deepEqual(observe([oneBedroom, untold]).unitMix, absent('parse_failed'));
  });

  it('gives no number of units, and no property type from it, when a unit type lacks its own number', () => {
    for (const untold of [
      { UnitTypeUnitsTotal: null },
      { UnitTypeUnitsTotal: ' ' },
      { UnitTypeUnitsTotal: 'many' },
      {},
      null,
    ]) {
      const { units, propertyType } = observe([{ UnitTypeUnitsTotal: 2 }, untold]);
      assert.deepEqual([units, propertyType], [absent('not_stated_by_source'), absent('not_stated_by_source')]);
    }
  });

  it('gives the number of units when the listing states 0 of them', () => {
    for (const stated of [0, '0', null]) assert.deepEqual(observe([oneBedroom, studio], stated).units, known(4));
    assert.deepEqual(observe([], 0).units, absent('not_stated_by_source'));
    assert.deepEqual(observe([oneBedroom, studio], 6).units, known(6));
  });

  it('is not stated without unit types, and expenses are never itemized', () => {
    for (const none of [[], null, undefined, 'Studio'])
      assert.deepEqual(observe(none).unitMix, absent('not_stated_by_source'));
    assert.deepEqual(observe([studio]).expenseItems, absent('not_published_by_source'));
  });
});
