import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import { Exact } from '../../src/underwriting/decimal.js';
import { flagStated, type StatedFacts } from '../../src/underwriting/flag-stated.js';
import type { PropertyType } from '../../src/listings/listing.js';
import { blockingFlags, doubtedBy, doubtsOf, isCapImplausible } from '../../src/underwriting/plausibility.js';
import { buildListing } from './build-listing.js';

const unstated = absent('not_stated_by_source');

function flags(stated: Partial<StatedFacts>): readonly string[] {
  return flagStated(buildListing(stated));
}

function priced(price: string): boolean {
  return flags({ listPrice: known(price) }).includes('price_placeholder');
}

function typed(units: number, type?: PropertyType): boolean {
  const propertyType = type === undefined ? unstated : known(type);
  return flags({ units: known(units), propertyType }).includes('units_type_disagree');
}

describe('flagStated', () => {
  it('fires nothing for a listing that states nothing, nor for a common one', () => {
    assert.deepEqual(flags({}), []);
    const common = { listPrice: known('389000'), units: known(6), propertyType: known('multifamily_5_plus' as const) };
    assert.deepEqual(flags({ ...common, noi: known('36000') }), []);
  });

  it('takes a price under 10,000 or from 100,000,000 for a placeholder, as published', () => {
    for (const price of ['0', '1', '9999', '9999.99', '100000000', '999999999']) assert.ok(priced(price), price);
    for (const price of ['10000', '9999.995', '99999998.99']) assert.ok(!priced(price), price);
  });

  it('takes runs of nines, of ones and counted digits for placeholders, from seven digits on or complete', () => {
    for (const price of ['9999999', '1111111', '11111111', '123456', '1234567', '12345678', '1234567.50'])
      assert.ok(priced(price), price);
    for (const price of ['999999', '111111', '12345', '1234560', '234567', '1999999', '9999990'])
      assert.ok(!priced(price), price);
  });

  it('holds the units against the type', () => {
    const right: [number, PropertyType][] = [
      [2, 'duplex'],
      [3, 'triplex'],
      [4, 'fourplex'],
      [5, 'multifamily_5_plus'],
      [600, 'multifamily_5_plus'],
      [1, 'mixed_use'],
      [2, 'portfolio'],
    ];
    for (const [units, type] of right) assert.ok(!typed(units, type), `${units} ${type}`);
    const wrong: [number, PropertyType][] = [
      [6, 'duplex'],
      [1, 'duplex'],
      [2, 'triplex'],
      [5, 'fourplex'],
      [4, 'multifamily_5_plus'],
      [1, 'multifamily_5_plus'],
      [1, 'portfolio'],
    ];
    for (const [units, type] of wrong) assert.ok(typed(units, type), `${units} ${type}`);
  });

  it('doubts a single unit without a type, and no other number', () => {
    assert.deepEqual([typed(1), typed(2), typed(9)], [true, false, false]);
  });

  it('doubts a ZIP that lies in other states only, never an unknown one or one on a border', () => {
    const fires = (zip: string, state: string) => flags({ zip: known(zip), state }).includes('zip_state_disagree');
    assert.ok(fires('90210', 'OH'));
    assert.ok(!fires('90210', 'CA'));
    assert.ok(!fires('00000', 'OH'));
    assert.ok(!flags({ zip: unstated }).includes('zip_state_disagree'));
  });

  it('tells an NOI that is written and not understood from one that nobody wrote', () => {
    assert.deepEqual(flags({ noi: absent('parse_failed') }), ['stated_noi_unreadable']);
    assert.deepEqual(flags({ noi: unstated }), []);
  });

  it('misses taxes, insurance, repairs or management in a statement of expenses, and in no other listing', () => {
    const items = (...names: string[]) => known(names.map((name) => ({ name, amount: '1000' })));
    const fires = (stated: Partial<StatedFacts>) => flags(stated).includes('expenses_incomplete');
    assert.ok(fires({ expenseItems: items('taxes') }));
    assert.ok(fires({ expenseItems: items('Insurance', 'Management', 'Maintenance') }));
    assert.ok(!fires({ expenseItems: items('Insurance', 'Management', 'Maintenance'), taxes: known('9000') }));
    assert.ok(!fires({ expenseItems: items('Property tax', 'Insurance', 'Management fee', 'Cleaning', 'Legal') }));
    assert.ok(!fires({ taxes: known('9000') }));
  });

  it('names every code that fires, in the order of the table', () => {
    const listing = { listPrice: known('1'), units: known(1), zip: known('90210'), noi: absent('parse_failed') };
    assert.deepEqual(flags(listing), [
      'price_placeholder',
      'units_type_disagree',
      'zip_state_disagree',
      'stated_noi_unreadable',
    ]);
  });
});

describe('isCapImplausible', () => {
  const fires = (cap: string, hud?: string, isChecked = true): boolean =>
    isCapImplausible(new Exact(cap), hud === undefined ? undefined : new Exact(hud), isChecked);

  it('doubts a cap above 15.00, whatever HUD rents support', () => {
    for (const cap of ['15.01', '47.00', '94.00'])
      assert.ok(fires(cap, '7.48') && fires(cap, '40.00') && fires(cap, '40.00', false) && fires(cap), cap);
    assert.ok(!fires('15.00'));
  });

  it('doubts a cap of more than two and a half times the HUD one, if that checks it', () => {
    assert.deepEqual(
      [fires('10.00', '4.00'), fires('10.01', '4.00'), fires('10.01', '4.00', false)],
      [false, true, false],
    );
  });

  it('doubts every cap where HUD rents check it and support none', () => {
    assert.deepEqual(
      [fires('9.40', '0.00'), fires('9.40', '-1.00'), fires('9.40', '-1.00', false)],
      [true, true, false],
    );
  });

  it('doubts nothing where no cap is claimed', () => {
    assert.ok(!isCapImplausible(undefined, new Exact('-1.00'), true));
  });
});

describe('doubtedBy', () => {
  it('gives the values of every blocking code, and none for codes that only inform', () => {
    assert.deepEqual(doubtedBy(['zip_county_disagree', 'units_suspect']).sort(), ['county', 'rent', 'units', 'zip']);
    assert.equal(doubtedBy(['hud_rent_stale', 'cap_noi_disagree', 'address_not_parsed']).length, 0);
    assert.equal(doubtedBy(['stated_noi_unreadable']).length, 0);
  });

  it('tells blocking codes from others', () => {
    assert.deepEqual(blockingFlags(['hud_rent_stale', 'stated_noi_unreadable', 'cap_implausible']), [
      'cap_implausible',
      'stated_noi_unreadable',
    ]);
    assert.equal(blockingFlags(Object.keys(doubtsOf)).length, 7);
  });
});
