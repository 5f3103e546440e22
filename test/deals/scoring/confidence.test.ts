import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Listing, SourceWord } from '../../../src/listings/listing.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import { confidenceInputs, type ConfidenceInput, type Score } from '../../../src/deals/scoring/score.js';
import type { Underwriting } from '../../../src/underwriting/underwriting.js';
import { buildRent } from '../../underwriting/build-listing.js';
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
  otherWords: [buildWord()],
};
/** Another source with the same values as the tests' listing, unless a test overrides them. */
function buildWord(overrides: Partial<SourceWord> = {}): SourceWord {
  return {
    sourceName: 'drop-2',
    firstSeenAt: new Date('2026-11-18T09:00:00.000Z'),
    lastSeenAt: new Date('2026-11-20T09:00:00.000Z'),
    listPrice: known('420000.00'),
    units: known(6),
    capRate: known('9.2'),
    noi: unstated,
    ...overrides,
  };
}

const current = buildRent('1000', { fiscalYear: 2027, stale: false });

describe('rateConfidence', () => {
  it('is 1.00 for a fully verified record, and 0.75 when the HUD rent does not fit', () => {
    assert.equal(score(complete, current).confidenceScore, '1.00');
    const dear = { listPrice: known('1100000'), otherWords: [buildWord({ listPrice: known('1100000') })] };
    assert.equal(score({ ...complete, ...dear }, current).confidenceScore, '0.75');
  });

  it('is 0.00 for a record without any known value', () => {
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

  it('has ten inputs and is their mean', () => {
    const { confidenceInputs: shown, confidenceScore } = score({});
    assert.deepEqual(Object.keys(shown), [...confidenceInputs]);
    // Address, county, price, units and freshness in full; NOI from the cap and a stale rent by half; the rest zero.
    assert.equal(confidenceScore, '0.60');
  });

  it('verifies an address only when ZIP, county and state agree, and by half when they cannot be compared', () => {
    const name = 'address_parsed_and_zip_agrees';
    assert.equal(input(name, {}), '1');
    assert.equal(input(name, { addressParsed: false }), '0');
    assert.equal(input(name, { zip: unstated }), '0');
    assert.equal(input(name, { countyFips: known('18097') }), '0');
    assert.equal(input(name, { state: 'TX' }), '0');
    assert.equal(input(name, { countyFips: unstated }), '0.5');
    // ZIPs of Ohio by their first digits, and of no known county.
    assert.equal(input(name, { zip: known('44999') }), '0.5');
    assert.equal(input(name, { zip: known('44999'), countyFips: unstated }), '0.5');
    assert.equal(input(name, { zip: known('44999'), countyFips: known('39001') }), '0.5');
  });

  it('does not verify an address whose ZIP or county is of another state', () => {
    const name = 'address_parsed_and_zip_agrees';
    assert.equal(input(name, { zip: known('46999') }), '0');
    assert.equal(input(name, { zip: known('46999'), countyFips: unstated }), '0');
    assert.equal(input(name, { zip: known('44999'), countyFips: known('18097') }), '0');
    // 063 belongs to Connecticut and New York, 353 to no state.
    assert.equal(input(name, { zip: known('06390'), countyFips: unstated, state: 'NY' }), '0.5');
    assert.equal(input(name, { zip: known('06390'), countyFips: unstated }), '0');
    assert.equal(input(name, { zip: known('35399'), countyFips: unstated }), '0.5');
  });

  it('counts a county by code or parcel in full, and a stated name by half', () => {
    const name = 'county_or_parcel_linked';
    assert.equal(input(name, { countyFips: unstated, parcelId: known('123-45-678') }), '1');
    assert.equal(input(name, { countyFips: unstated, county: known('Cuyahoga') }), '0.5');
    assert.equal(input(name, { countyFips: unstated }), '0');
  });

  it('counts price and units by half where sources disagree about them', () => {
    for (const name of ['list_price', 'units'] as const) {
      assert.deepEqual(
        [false, true].map((sourcesDisagree) => input(name, { sourcesDisagree })),
        ['1', '0.5'],
        name,
      );
      assert.equal(input(name, { sourcesDisagree: true, listPrice: unstated, units: unstated }), '0', name);
    }
  });

  it('counts a stated NOI in full and a derived or underwritten one by half', () => {
    assert.equal(input('noi', { noi: known('38640') }), '1');
    assert.equal(input('noi', {}), '0.5');
    assert.equal(input('noi', { capRate: unstated }), '0.5');
    assert.equal(input('noi', { listPrice: unstated, capRate: unstated, units: unstated }), '0');
  });

  it('counts the ZIP rent of the year in force in full, an older rent or a county rent by half', () => {
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

  describe('cross_source_agreement', () => {
    const agreement = (...otherWords: readonly SourceWord[]) => input('cross_source_agreement', { otherWords });

    it('is zero when only one source shows the property', () => {
      assert.equal(agreement(), '0');
    });

    it('is full when all sources state the same price and units', () => {
      assert.equal(agreement(buildWord()), '1');
      assert.equal(agreement(buildWord({ capRate: unstated })), '1');
      assert.equal(agreement(buildWord(), buildWord({ sourceName: 'drop-3' })), '1');
    });

    it('is zero when any of them contradicts the record in price, units or income', () => {
      const contradictions = { listPrice: known('500000'), units: known(4), capRate: known('6.5') };
      for (const [name, value] of Object.entries(contradictions)) {
        assert.equal(agreement(buildWord({ [name]: value })), '0', name);
        assert.equal(agreement(buildWord(), buildWord({ sourceName: 'drop-3', [name]: value })), '0', name);
      }
      const noi = known('38640');
      assert.equal(input('cross_source_agreement', { noi, otherWords: [buildWord({ noi: known('30000') })] }), '0');
    });

    it('tolerates a rounding of income by exactly a hundredth of the greater, and no more; none of price', () => {
      assert.equal(agreement(buildWord({ capRate: known('9.108') })), '1');
      assert.equal(agreement(buildWord({ capRate: known('9.107') })), '0');
      assert.equal(agreement(buildWord({ listPrice: known('420000.01') })), '0');
      const own = { noi: known('-10000') };
      assert.equal(input('cross_source_agreement', { ...own, otherWords: [buildWord({ noi: known('-10100') })] }), '1');
      assert.equal(input('cross_source_agreement', { ...own, otherWords: [buildWord({ noi: known('10000') })] }), '0');
      assert.equal(
        input('cross_source_agreement', { noi: known('0'), otherWords: [buildWord({ noi: known('0') })] }),
        '1',
      );
    });

    it('is half when nothing differs but price or units cannot be compared, and zero when nothing can', () => {
      assert.equal(agreement(buildWord({ listPrice: unstated })), '0.5');
      assert.equal(agreement(buildWord({ units: unstated })), '0.5');
      assert.equal(agreement(buildWord(), buildWord({ sourceName: 'drop-3', units: unstated })), '0.5');
      assert.equal(agreement(buildWord({ listPrice: unstated, units: unstated, capRate: unstated })), '0');
    });
  });

  it('counts a source seen within exactly 48 hours, and not a millisecond longer', () => {
    assert.equal(input('seen_within_48h', { lastSeenAt: new Date('2026-11-19T06:00:00.000Z') }), '1');
    assert.equal(input('seen_within_48h', { lastSeenAt: new Date('2026-11-19T05:59:59.999Z') }), '0');
  });
});
