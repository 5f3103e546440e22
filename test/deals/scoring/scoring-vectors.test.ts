import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { scoreSheriffSaleLead } from '../../../src/deals/scoring/lead-score.js';
import { scoreDeal } from '../../../src/deals/scoring/deal-score.js';
import { collectThresholds } from '../../../src/deals/scoring/judge.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import { scoredYield } from '../../../src/deals/scoring/scored-figures.js';
import { rentalRules } from '../../../src/deals/scoring/rule-sets.js';
import type { DistressMatches } from '../../../src/deals/scoring/score.js';
import { assumptionSet } from '../../../src/underwriting/assumption-set.js';
import { mortgageConstant } from '../../../src/underwriting/mortgage.js';
import { readSharedData } from '../../underwriting/read-shared-data.js';
import { buildFigures } from './build-score-inputs.js';
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
    const terms = { ratePct: '6.75', amortizationYears: assumptionSet.amortizationYears };
    assert.equal(mortgageConstant(terms).toFixed(10), assumptions.loan_constant);
  });

  for (const { id, inputs: given, expected } of scoringVectors.deals) {
    it(`${id}: the deal score has the published digits`, () => {
      const claimed = given.cap_rate === null ? absent('not_stated_by_source') : known(given.cap_rate);
      const listing = { listPrice: known(given.list_price), units: known(given.units), capRate: claimed };
      const inputs = buildFigures(
        {
          capRateUnderwritten: known(expected.cap_rate_underwritten),
          dscr: known(expected.dscr),
          dscrUnderwritten: known(expected.dscr_underwritten),
          reliability: expected.underwrite_reliability,
        },
        listing,
      );
      const { rental } = scoreListing(inputs).rationales;
      assert.equal(
        scoredYield(rental.inputs, collectThresholds(rentalRules.thresholds).at)?.toFixed(2),
        expected.yield_scored,
      );
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
