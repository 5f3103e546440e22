import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { AreaRents } from '../../../src/underwriting/rents/area-rents.js';
import { createHudRents } from '../../../src/underwriting/rents/create-hud-rents.js';
import { fiscalYearInForce } from '../../../src/underwriting/rents/fiscal-year.js';

const unstated = absent('not_stated_by_source');
const today = new Date('2026-11-21');

/** HUD's figures for ZIP 44105 and Cuyahoga County, Ohio, and an invented newer one. */
const rents: readonly AreaRents[] = [
  { areaKind: 'county', areaCode: '39035', fiscalYear: 2025, rents: [881, 995, 1208, 1553, 1667] },
  { areaKind: 'county', areaCode: '39035', fiscalYear: 2026, rents: [933, 1058, 1279, 1646, 1760] },
  { areaKind: 'zip', areaCode: '44105', fiscalYear: 2025, rents: [730, 830, 1000, 1300, 1380] },
];
const { findRent, isNonmetropolitan } = createHudRents(rents, [{ zip: '44107', countyFips: '39035' }]);

describe('fiscalYearInForce', () => {
  it('changes on 1 October, UTC', () => {
    assert.equal(fiscalYearInForce(new Date('2026-09-30T23:59:59.999Z')), 2026);
    assert.equal(fiscalYearInForce(new Date('2026-10-01T00:00:00.000Z')), 2027);
    assert.equal(fiscalYearInForce(new Date('2027-01-01T00:00:00.000Z')), 2027);
  });
});

describe('createHudRents', () => {
  it("uses the ZIP's rents of all bedroom counts before the county's, even if the county's figure is newer", () => {
    const place = { zip: known('44105'), countyFips: known('39035') };
    const byBedrooms = ['730', '830', '1000', '1300', '1380'];
    const rent = { rent2br: '1000', byBedrooms, basis: 'safmr_zip', fiscalYear: 2025, stale: true };
    assert.deepEqual(findRent(place, today), known(rent));
  });

  it('falls back to the newest county year in force', () => {
    const place = { zip: known('44999'), countyFips: known('39035') };
    const byBedrooms = ['933', '1058', '1279', '1646', '1760'];
    const newest = { rent2br: '1279', byBedrooms, basis: 'fmr_county', fiscalYear: 2026 };
    assert.deepEqual(findRent(place, today), known({ ...newest, stale: true }));
    assert.deepEqual(findRent(place, new Date('2025-10-01')), known({ ...newest, stale: false }));
  });

  it('never uses a year that is not yet in force', () => {
    const place = { zip: unstated, countyFips: known('39035') };
    const byBedrooms = ['881', '995', '1208', '1553', '1667'];
    const rent = { rent2br: '1208', byBedrooms, basis: 'fmr_county', fiscalYear: 2025, stale: false };
    assert.deepEqual(findRent(place, new Date('2025-09-30')), known(rent));
    assert.deepEqual(findRent(place, new Date('2024-09-30')), absent('no_hud_rent'));
  });

  it('finds the county by the ZIP when it is not stated', () => {
    const rent = findRent({ zip: known('44107'), countyFips: unstated }, today);
    assert.equal('value' in rent && rent.value.basis, 'fmr_county');
  });

  it('returns no_hud_rent for a place without a figure and insufficient_inputs without a place', () => {
    assert.deepEqual(findRent({ zip: known('90210'), countyFips: unstated }, today), absent('no_hud_rent'));
    assert.deepEqual(findRent({ zip: unstated, countyFips: known('06037') }, today), absent('no_hud_rent'));
    assert.deepEqual(findRent({ zip: unstated, countyFips: unstated }, today), absent('insufficient_inputs'));
  });

  it('takes a place for nonmetropolitan where the county is unknown', () => {
    assert.equal(isNonmetropolitan({ zip: known('44107'), countyFips: unstated }), false);
    assert.equal(isNonmetropolitan({ zip: known('90210'), countyFips: known('39035') }), false);
    assert.equal(isNonmetropolitan({ zip: known('90210'), countyFips: unstated }), true);
    assert.equal(isNonmetropolitan({ zip: unstated, countyFips: unstated }), true);
  });
});
