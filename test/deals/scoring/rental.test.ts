import assert from 'node:assert/strict';
import { absent, known, type Maybe } from '../../../src/absence.js';
import { replayRentalStatus } from '../../../src/deals/scoring/paths/rental.js';
import type { Rationale } from '../../../src/deals/scoring/rationale.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import type { Underwriting } from '../../../src/underwriting/underwriting.js';
import type { Listing } from '../../../src/listings/listing.js';
import { rates } from '../../underwriting/build-listing.js';
import { buildFigures, buildScoreInputs } from './build-score-inputs.js';

function rental(capRate: Maybe<string>, figures: Partial<Underwriting>): Rationale {
  return scoreListing(buildFigures(figures, { capRate })).rationales.rental;
}

/** Published figures of a deal that just meets every Hot threshold. */
const justHot: Partial<Underwriting> = {
  dscr: known('1.46'),
  dscrUnderwritten: known('1.20'),
  capRateUnderwritten: known('5.51'),
  capGapPct: known('2.99'),
  reliability: 'ok',
};

describe('assessRental', () => {
  it('is Hot at a cap of exactly 8.50, a scored DSCR of exactly 1.20 and a gap under 3.00', () => {
    assert.equal(rental(known('8.50'), justHot).status, 'Hot');
  });

  it('uses the advertised cap as published: 8.496 is 8.50', () => {
    assert.equal(rental(known('8.496'), justHot).status, 'Hot');
    assert.notEqual(rental(known('8.494'), justHot).status, 'Hot');
  });

  it('is Warm when only the DSCR keeps it from Hot, and says so', () => {
    const { status, reasons } = rental(known('8.50'), { ...justHot, dscrUnderwritten: known('1.19') });
    assert.deepEqual([status, reasons], ['Warm', ['dscr_below_hot']]);
  });

  it('is Warm when only a gap of 3.00 or more keeps it from Hot, and says so', () => {
    const { status, reasons } = rental(known('8.50'), { ...justHot, capGapPct: known('3.00') });
    assert.deepEqual([status, reasons], ['Warm', ['cap_gap_too_wide']]);
  });

  it('rates a row of the hot feed Hot or Warm, even with the worst DSCR and gap, where nothing is doubted', () => {
    const bad = { ...justHot, dscrUnderwritten: known('0.10'), capGapPct: known('9.00') };
    assert.equal(rental(known('8.50'), bad).status, 'Warm');
  });

  it('ignores the gap and the underwritten DSCR for a claim that HUD rent cannot check', () => {
    const unchecked = { ...justHot, capGapPct: known('6.00'), dscrUnderwritten: known('0.50') };
    const { status, checks } = rental(known('8.50'), { ...unchecked, reliability: 'proxy_out_of_range' });
    assert.equal(status, 'Warm');
    assert.ok(!checks.some(({ code }) => code === 'hot_cap_gap'));
  });

  it('is Warm at best where HUD rents do not check the claim, or the interest rate is over 180 days old', () => {
    for (const reliability of ['unknown', 'proxy_out_of_range'] as const) {
      const { status, reasons, checks, summary } = rental(known('8.50'), { ...justHot, reliability });
      assert.deepEqual([status, reasons], ['Warm', ['unchecked']]);
      assert.deepEqual(checks.find(({ code }) => code === 'hot_checked')?.passed, false);
      assert.match(summary, /HUD rent cannot check the claim/);
    }
    // Scored on 2026-11-21.
    const at = (asOf: string) => rental(known('8.50'), { ...justHot, rates: { ...rates, asOf } });
    assert.deepEqual([at('2026-05-25').status, at('2026-05-24').status], ['Hot', 'Warm']);
    assert.deepEqual(at('2026-05-24').reasons, ['rate_stale']);
    const low = rental(known('6.00'), { ...justHot, rates: { ...rates, asOf: '2025-11-21' } });
    assert.deepEqual([low.status, low.reasons], ['Pass', ['yield_below_warm', 'rate_stale']]);
  });

  it('scores no more than the stated NOI yields at the asking price', () => {
    const yieldOf = (listing: Partial<Listing>): string | undefined => {
      const { checks } = scoreListing(buildScoreInputs(listing)).rationales.rental;
      return checks.find(({ code }) => code === 'warm_scored_yield')?.actual;
    };
    assert.deepEqual(
      [yieldOf({}), yieldOf({ noi: known('30000') }), yieldOf({ noi: known('60000') })],
      ['9.2', '7.14', '9.2'],
    );
    assert.equal(yieldOf({ capRate: absent('not_stated_by_source'), noi: known('30000') }), '7.14');
  });

  it('is Warm at a scored yield of exactly 6.50 and a scored DSCR of exactly 1.00, and Pass just under', () => {
    const warm = { ...justHot, dscrUnderwritten: known('1.00'), capRateUnderwritten: known('5.00') };
    assert.equal(rental(known('8.40'), warm).status, 'Warm');
    assert.equal(rental(known('8.40'), { ...warm, capRateUnderwritten: known('4.99') }).status, 'Pass');
    assert.equal(rental(known('8.40'), { ...warm, dscrUnderwritten: known('0.99') }).status, 'Pass');
  });

  it('scores a deal without a claim by its underwritten cap', () => {
    const { status } = rental(absent('not_stated_by_source'), { ...justHot, capRateUnderwritten: known('6.50') });
    assert.equal(status, 'Warm');
  });

  it('caps the score of a claim that cannot be checked at 8.00 less 1.00', () => {
    const unchecked = { ...justHot, reliability: 'unknown', capRateUnderwritten: absent('no_hud_rent') } as const;
    const { checks } = rental(known('12.00'), unchecked);
    assert.equal(checks.find(({ code }) => code === 'warm_scored_yield')?.actual, '7');
  });

  it('passes when nothing is known, names the missing inputs, and still has a status', () => {
    const nothing = buildScoreInputs(
      { listPrice: absent('parse_failed'), units: absent('parse_failed'), capRate: absent('not_stated_by_source') },
      { rent: absent('no_hud_rent') },
    );
    const { status, reasons, missing, inputs } = scoreListing(nothing).rationales.rental;
    assert.deepEqual([status, reasons], ['Pass', ['inputs_missing', 'unchecked']]);
    assert.deepEqual(missing, [
      'cap_rate',
      'stated_yield',
      'market_rent_2br',
      'cap_rate_underwritten',
      'cap_gap_pct',
      'dscr',
      'dscr_underwritten',
    ]);
    assert.deepEqual(Object.keys(inputs), ['underwrite_reliability', 'hot_checked']);
  });

  it('names the HUD figure of the rent and its fiscal year', () => {
    const { inputs } = scoreListing(buildScoreInputs()).rationales.rental;
    assert.deepEqual(inputs.market_rent_2br, {
      value: '1000.00',
      unit: 'usd_per_month',
      basis: 'hud_safmr_zip',
      asOf: 'FY2025',
    });
    assert.deepEqual(inputs.cap_rate, {
      value: '9.20',
      unit: 'percent',
      basis: 'stated_by_source',
      asOf: '2026-11-20',
    });
    const county = { rent2br: '1279', basis: 'fmr_county', fiscalYear: 2026, stale: true } as const;
    const other = scoreListing(buildScoreInputs({}, { rent: known(county) })).rationales.rental.inputs;
    assert.deepEqual([other.market_rent_2br?.basis, other.market_rent_2br?.asOf], ['hud_fmr_county', 'FY2026']);
  });

  it('follows its inputs when replayed: another cap gives another status', () => {
    const hot = rental(known('8.50'), justHot);
    const cap = { ...hot.inputs.cap_rate, value: '6.00' } as Rationale['inputs'][string];
    assert.equal(replayRentalStatus({ ...hot, inputs: { ...hot.inputs, cap_rate: cap } }), 'Pass');
    const thresholds = { ...hot.thresholds, hot_cap_rate_min: '9.00' };
    assert.equal(replayRentalStatus({ ...hot, thresholds }), 'Warm');
  });

  it('refuses to replay without one of its thresholds', () => {
    const hot = rental(known('8.50'), justHot);
    assert.throws(() => replayRentalStatus({ inputs: hot.inputs, thresholds: {} }), RangeError);
  });
});
