import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import type { Listing } from '../../src/listings/listing.js';
import { scoreListing } from '../../src/scoring/score-listing.js';
import { confidenceInputs, type ConfidenceInput, type Score } from '../../src/scoring/score.js';
import type { Underwriting } from '../../src/underwriting/underwriting.js';
import { buildRent } from '../underwriting/build-listing.js';
import { buildScoreInputs } from './build-score-inputs.js';

function score(listing: Partial<Listing>, rent: Underwriting['rent'] = buildRent('1000')): Score {
  return scoreListing(buildScoreInputs(listing, { rent }));
}

function input(name: ConfidenceInput, listing: Partial<Listing>, rent?: Underwriting['rent']): string {
  return score(listing, rent).confidenceInputs[name];
}

const unstated = absent('not_stated_by_source');

/** Everything that a source can state, from two of them. */
const complete: Partial<Listing> = {
  noi: known('38640'),
  taxes: known('6100'),
  vacancyPct: known('5'),
  operatingExpenses: known('28000'),
  seenAtSources: ['drop-1', 'drop-2'],
};
const current = buildRent('1000', { fiscalYear: 2027, stale: false });

describe('rateConfidence', () => {
  it('is 1.00 for a record that is verified throughout, and 0.75 when the HUD rent does not fit', () => {
    assert.equal(score(complete, current).confidenceScore, '1.00');
    assert.equal(score({ ...complete, listPrice: known('1100000') }, current).confidenceScore, '0.75');
  });

  it('is 0.00 for a record of which nothing is known', () => {
    const nothing = score(
      {
        addressParsed: false,
        zip: unstated,
        countyFips: unstated,
        listPrice: unstated,
        units: unstated,
        capRate: unstated,
        lastSeenAt: new Date('2026-11-01'),
      },
      absent('no_hud_rent'),
    );
    assert.equal(nothing.confidenceScore, '0.00');
  });

  it('shows its ten inputs and is their mean', () => {
    const { confidenceInputs: shown, confidenceScore } = score({});
    assert.deepEqual(Object.keys(shown), [...confidenceInputs]);
    // Address, county, price, units and freshness in full; NOI from the cap and a stale rent by half; the rest nothing.
    assert.equal(confidenceScore, '0.60');
  });

  it('verifies an address only where ZIP, county and state agree, and by half where they cannot be compared', () => {
    const name = 'address_parsed_and_zip_agrees';
    assert.equal(input(name, {}), '1');
    assert.equal(input(name, { addressParsed: false }), '0');
    assert.equal(input(name, { zip: unstated }), '0');
    assert.equal(input(name, { countyFips: known('18097') }), '0');
    assert.equal(input(name, { state: 'TX' }), '0');
    assert.equal(input(name, { countyFips: unstated }), '0.5');
    // Of Ohio by their first digits, and of no county that is known.
    assert.equal(input(name, { zip: known('44999') }), '0.5');
    assert.equal(input(name, { zip: known('44999'), countyFips: unstated }), '0.5');
    assert.equal(input(name, { zip: known('44999'), countyFips: known('39001') }), '0.5');
  });

  it('verifies no address whose ZIP or county is of another state', () => {
    const name = 'address_parsed_and_zip_agrees';
    assert.equal(input(name, { zip: known('46999') }), '0');
    assert.equal(input(name, { zip: known('46999'), countyFips: unstated }), '0');
    assert.equal(input(name, { zip: known('44999'), countyFips: known('18097') }), '0');
    // 063 is of Connecticut and of New York, 353 of no state at all.
    assert.equal(input(name, { zip: known('06390'), countyFips: unstated, state: 'NY' }), '0.5');
    assert.equal(input(name, { zip: known('06390'), countyFips: unstated }), '0');
    assert.equal(input(name, { zip: known('35399'), countyFips: unstated }), '0.5');
  });

  it('links a county by code or parcel, and by half by a stated name', () => {
    const name = 'county_or_parcel_linked';
    assert.equal(input(name, { countyFips: unstated, parcelId: known('123-45-678') }), '1');
    assert.equal(input(name, { countyFips: unstated, county: known('Cuyahoga') }), '0.5');
    assert.equal(input(name, { countyFips: unstated }), '0');
  });

  it('counts a stated NOI in full and a derived or underwritten one by half', () => {
    assert.equal(input('noi', { noi: known('38640') }), '1');
    assert.equal(input('noi', {}), '0.5');
    assert.equal(input('noi', { capRate: unstated }), '0.5');
    assert.equal(input('noi', { listPrice: unstated, capRate: unstated, units: unstated }), '0');
  });

  it('counts the ZIP rent of the year in force in full, an older or a county rent by half', () => {
    assert.equal(input('rent', {}, current), '1');
    assert.equal(input('rent', {}, buildRent('1000')), '0.5');
    assert.equal(input('rent', {}, buildRent('1000', { basis: 'fmr_county', stale: false })), '0.5');
    assert.equal(input('rent', {}, absent('no_hud_rent')), '0');
  });

  it('counts vacancy and expenses each by half', () => {
    assert.equal(input('vacancy_and_expenses_actual', { vacancyPct: known('5') }), '0.5');
    assert.equal(input('vacancy_and_expenses_actual', complete), '1');
    const itemised = { vacancyPct: known('5'), expenseItems: known([{ name: 'taxes', amount: '9000' }]) };
    assert.equal(input('vacancy_and_expenses_actual', itemised), '1');
  });

  it('trusts a source seen within exactly 48 hours, and not a millisecond longer', () => {
    assert.equal(input('seen_within_48h', { lastSeenAt: new Date('2026-11-19T06:00:00.000Z') }), '1');
    assert.equal(input('seen_within_48h', { lastSeenAt: new Date('2026-11-19T05:59:59.999Z') }), '0');
  });
});
