import assert from 'node:assert/strict';
import { absent, isKnown, known, valueOf } from '../../../src/absence.js';
import { scoreSheriffSaleLead } from '../../../src/deals/scoring/lead-score.js';
import { scoreDeal } from '../../../src/deals/scoring/deal-score.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import { scoredYield } from '../../../src/deals/scoring/scored-figures.js';
import { rentalRules } from '../../../src/deals/scoring/rule-sets.js';
import type { DistressMatches } from '../../../src/deals/scoring/score.js';
import { assumptionSet } from '../../../src/underwriting/assumption-set.js';
import { mortgageConstant } from '../../../src/underwriting/mortgage.js';
import { suggestOffer } from '../../../src/underwriting/offer-range.js';
import { buildRent } from '../../underwriting/build-listing.js';
import { readSharedData } from '../../underwriting/read-shared-data.js';
import { buildScoreInputs } from './build-score-inputs.js';
import { scoringVectors } from './scoring-vectors.js';

/** Matches worth the given distress points: 8 a small tax amount, 15 everything. */
function distressWorth(points: number): DistressMatches {
  const match = { confidence: '1.00', sourceUrl: 'https://county.example/1', observedAt: new Date(0) };
  const tax = points > 0 ? known({ ...match, amount: '100' }) : absent('not_collected');
  return { taxDelinquency: tax, sheriffSale: points > 8 ? known(match) : absent('not_collected') };
}

describe('scoring vectors', () => {
  it('are unchanged copies', function () {
    const shared = readSharedData('scoring_vectors.json');
    if (shared === undefined) return this.skip();
    const { deals, leads, assumptions } = JSON.parse(shared);
    assert.deepEqual(JSON.parse(JSON.stringify(scoringVectors)), { deals, leads });
    assert.equal(mortgageConstant(assumptionSet).toFixed(10), assumptions.loan_constant);
  });

  for (const { id, inputs: given, expected } of scoringVectors.deals) {
    it(`${id}: underwriting, deal score and offers equal the published digits`, () => {
      const claimed = given.cap_rate === null ? absent('not_stated_by_source') : known(given.cap_rate);
      const listing = { listPrice: known(given.list_price), units: known(given.units), capRate: claimed };
      const inputs = buildScoreInputs(listing, { rent: buildRent(given.rent_2br) });
      const figures = inputs.underwriting;
      assert.deepEqual(
        {
          gpr: valueOf(figures.grossPotentialRent),
          egi: valueOf(figures.effectiveGrossIncome),
          noi_underwritten: valueOf(figures.noiUnderwritten),
          cap_rate_underwritten: valueOf(figures.capRateUnderwritten),
          noi: valueOf(figures.noi),
          noi_source: valueOf(figures.noiSource),
          cap_gap_pct: valueOf(figures.capGapPct) ?? null,
          underwrite_reliability: figures.reliability,
          grm_on_proxy: valueOf(figures.grossRentMultiplier),
          dscr: valueOf(figures.dscr),
          dscr_underwritten: valueOf(figures.dscrUnderwritten),
        },
        pickUnderwriting(expected),
      );

      const { rental } = scoreListing(inputs).rationales;
      assert.equal(scoredYield(rental.inputs, rentalRules.thresholds)?.toFixed(2), expected.yield_scored);
      const { dealScore, dealScoreParts } = scoreDeal({
        rental: rental.inputs,
        motivationCount: given.motivation_score,
        distress: distressWorth(given.distress_points),
        listPrice: listing.listPrice,
      });
      assert.equal(dealScore, expected.deal_score);
      assert.deepEqual(dealScoreParts, {
        yield: expected.yield_points,
        dscr: expected.dscr_points,
        motivation: `${expected.motivation_points}.00`,
        distress: `${expected.distress_points}.00`,
      });

      const offer = suggestOffer(figures, listing.listPrice, assumptionSet);
      assert.ok(isKnown(offer));
      const { low, mid, high, dscrMaxPrice } = offer.value;
      assert.deepEqual({ low, mid, high, dscr_max_price: dscrMaxPrice }, expected.offer);
    });
  }

  for (const lead of scoringVectors.leads) {
    it(`a sale in ${lead.days_to_sale} days at ${lead.opening_bid} of ${lead.appraised}: the lead's points`, () => {
      const { leadScore, points } = scoreSheriffSaleLead({
        appraisedValue: lead.appraised === null ? absent('not_published_by_source') : known(String(lead.appraised)),
        openingBid: known(String(lead.opening_bid)),
        saleStatus: 'scheduled',
        daysToSale: lead.days_to_sale,
      });
      const { base, equityGap: equity_gap, urgency } = points;
      assert.deepEqual({ base, equity_gap, urgency, lead_score: leadScore }, lead.expected);
    });
  }
});

function pickUnderwriting(expected: (typeof scoringVectors.deals)[number]['expected']): Record<string, unknown> {
  const names = [
    'gpr',
    'egi',
    'noi_underwritten',
    'cap_rate_underwritten',
    'noi',
    'noi_source',
    'cap_gap_pct',
    'underwrite_reliability',
    'grm_on_proxy',
    'dscr',
    'dscr_underwritten',
  ] as const;
  return Object.fromEntries(names.map((name) => [name, expected[name]]));
}
