import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { scoreSheriffSaleLead, type LeadScore } from '../../../src/deals/scoring/lead-score.js';
import { scoreMotivatedLead } from '../../../src/deals/scoring/motivated-lead-score.js';
import { scoreListing } from '../../../src/deals/scoring/score-listing.js';
import type { ScoreInputs } from '../../../src/deals/scoring/score.js';
import { scoreTaxLead, type TaxLeadInputs } from '../../../src/deals/scoring/tax-lead-score.js';
import { buildFigures, buildScoreInputs, noDistress } from './build-score-inputs.js';

const unpublished = absent('not_published_by_source');

function sheriff(appraised: string, opening: string, daysToSale: number): LeadScore {
  const figures = { appraisedValue: known(appraised), openingBid: known(opening) };
  return scoreSheriffSaleLead({ ...figures, saleStatus: 'scheduled', daysToSale });
}

describe('scoreSheriffSaleLead', () => {
  it('writes each part with its points', () => {
    assert.deepEqual(sheriff('90000', '60000', 24).rationale, {
      base: '40 points: scheduled sheriff sale',
      equityGap: '25 points: opening bid $60,000 is 33.3% below appraisal $90,000',
      urgency: '10 points: sale in 24 days',
    });
  });

  it('steps the equity gap at exactly 60, 45, 33 and 20 percent and above zero', () => {
    const points = (opening: string): number => sheriff('100000', opening, 90).points.equityGap;
    const openings = [
      '40000',
      '40100',
      '55000',
      '55100',
      '67000',
      '67100',
      '80000',
      '80100',
      '99900',
      '100000',
      '120000',
    ];
    assert.deepEqual(openings.map(points), [40, 30, 30, 25, 25, 15, 15, 5, 5, 0, 0]);
  });

  it('steps the urgency at exactly 7, 14, 30 and 60 days', () => {
    const points = (days: number): number => sheriff('100000', '100000', days).points.urgency;
    assert.deepEqual([-1, 0, 7, 8, 14, 15, 30, 31, 60, 61].map(points), [0, 20, 20, 15, 15, 10, 10, 5, 5, 0]);
  });

  it('compares the figures shown in its text, in cents', () => {
    assert.equal(sheriff('100000.004', '67000.004', 90).points.equityGap, 25);
    assert.equal(
      sheriff('100000.004', '99999.996', 90).rationale.equityGap,
      '0 points: opening bid $100,000 is not below appraisal $100,000',
    );
    assert.equal(sheriff('100000', '0.004', 90).rationale.equityGap, '0 points: opening bid is not known');
  });

  it('distinguishes unknown, not below, today and past', () => {
    const unknown = scoreSheriffSaleLead({
      appraisedValue: unpublished,
      openingBid: known('5000'),
      saleStatus: 'unknown',
      daysToSale: 0,
    });
    assert.equal(unknown.rationale.base, '40 points: sheriff sale, status unknown');
    assert.equal(unknown.rationale.equityGap, '0 points: appraisal is not known');
    assert.equal(unknown.rationale.urgency, '20 points: sale today');
    const above = sheriff('90000', '1234567.50', 1).rationale;
    assert.equal(above.equityGap, '0 points: opening bid $1,234,567.50 is not below appraisal $90,000');
    assert.equal(above.urgency, '20 points: sale in 1 day');
    const barely = sheriff('90000', '89960', 1).rationale;
    assert.equal(barely.equityGap, '5 points: opening bid $89,960 is less than 0.1% below appraisal $90,000');
    assert.equal(sheriff('90000', '0', -3).rationale.equityGap, '0 points: opening bid is not known');
    assert.equal(sheriff('90000', '0', -3).rationale.urgency, '0 points: the sale date has passed');
  });
});

describe('scoreTaxLead', () => {
  const now = new Date('2026-11-21T00:00:00.000Z');
  const lead: TaxLeadInputs = {
    hasAddress: true,
    lastSeenAt: new Date('2026-11-14T00:00:00.000Z'),
    assessedValue: known('80000'),
    amountOwed: '6000',
    yearsOwed: known(3),
    daysToTaxSale: unpublished,
  };

  it('adds base, equity and urgency, and writes each with its points', () => {
    assert.deepEqual(scoreTaxLead(lead, now), {
      ruleVersion: 'lead-1.0.0',
      leadScore: 80,
      points: { base: 30, equityGap: 30, urgency: 20 },
      rationale: {
        base: '30 points: county tax-delinquency record',
        equityGap: '30 points: amount owed $6,000 is 92.5% below assessed value $80,000',
        urgency: '20 points: taxes owed for 3 years',
      },
    });
  });

  it('uses the more urgent of years owed and tax sale', () => {
    const soon = scoreTaxLead({ ...lead, daysToTaxSale: known(30) }, now);
    assert.equal(soon?.rationale.urgency, '30 points: tax sale in 30 days');
    const far = scoreTaxLead({ ...lead, daysToTaxSale: known(170) }, now);
    assert.equal(far?.rationale.urgency, '20 points: taxes owed for 3 years');
    const neither = scoreTaxLead({ ...lead, yearsOwed: unpublished }, now);
    assert.equal(neither?.points.urgency, 0);
  });

  it('steps the equity gap at exactly 95, 90, 75 and 50 percent and above zero', () => {
    const points = (amountOwed: string) =>
      scoreTaxLead({ ...lead, assessedValue: known('100000'), amountOwed }, now)?.points.equityGap;
    const owed = ['5000', '5100', '10000', '10100', '25000', '25100', '50000', '50100', '99900', '100000'];
    assert.deepEqual(owed.map(points), [40, 30, 30, 20, 20, 10, 10, 5, 5, 0]);
  });

  it('steps the urgency at exactly 30, 90 and 180 days to a tax sale', () => {
    const points = (days: number) =>
      scoreTaxLead({ ...lead, yearsOwed: unpublished, daysToTaxSale: known(days) }, now)?.points.urgency;
    assert.deepEqual([-1, 0, 30, 31, 90, 91, 180, 181].map(points), [0, 30, 30, 20, 20, 10, 10, 0]);
  });

  it('steps the urgency at 1, 2 and 3 years owed', () => {
    const urgency = (years: number) => scoreTaxLead({ ...lead, yearsOwed: known(years) }, now)?.rationale.urgency;
    assert.deepEqual([0, 1, 2, 3, 9].map(urgency), [
      '0 points: taxes owed for 0 years',
      '5 points: taxes owed for 1 year',
      '10 points: taxes owed for 2 years',
      '20 points: taxes owed for 3 years',
      '20 points: taxes owed for 9 years',
    ]);
  });

  it('names the tax sale when it is equally urgent, and not when it is too far to count', () => {
    const urgency = (days: number, yearsOwed: TaxLeadInputs['yearsOwed']) =>
      scoreTaxLead({ ...lead, yearsOwed, daysToTaxSale: known(days) }, now)?.rationale.urgency;
    assert.equal(urgency(90, known(3)), '20 points: tax sale in 90 days');
    assert.equal(urgency(181, known(0)), '0 points: taxes owed for 0 years');
    assert.equal(urgency(181, unpublished), '0 points: neither years owed nor a near tax sale is known');
  });

  it('is at most 100', () => {
    const best = scoreTaxLead({ ...lead, amountOwed: '100', daysToTaxSale: known(1) }, now);
    assert.equal(best?.leadScore, 100);
  });

  it('is no lead without a street address, or when last seen more than seven days ago', () => {
    assert.equal(scoreTaxLead({ ...lead, hasAddress: false }, now), undefined);
    assert.equal(scoreTaxLead(lead, new Date(now.getTime() + 1)), undefined);
  });
});

describe('scoreMotivatedLead', () => {
  const match = { sourceUrl: 'https://county.example/1', observedAt: new Date(0) };

  function lead(distress: Partial<ScoreInputs['distress']>, listing = {}): LeadScore | undefined {
    const inputs = buildScoreInputs(listing, { distress: { ...noDistress, ...distress } });
    return scoreMotivatedLead(inputs, scoreListing(inputs));
  }

  it('accepts a match at exactly 0.85, and none below', () => {
    assert.ok(lead({ sheriffSale: known({ ...match, confidence: '0.85' }) }));
    assert.equal(lead({ sheriffSale: known({ ...match, confidence: '0.84' }) }), undefined);
    assert.equal(lead({}), undefined);
  });

  it('adds base, the gap to the value at the target cap, and motivation', () => {
    const found = lead({ taxDelinquency: known({ ...match, confidence: '0.98', amount: '9000' }) }, { relisted: true });
    assert.deepEqual(found?.rationale, {
      base: '40 points: active listing matched to a tax-delinquency record',
      equityGap: '5 points: asking price $420,000 is 3.1% below value at the 8.50% target cap $433,271',
      urgency: '10 points: 2 motivation signals',
    });
    assert.equal(found?.leadScore, 55);
  });

  it('steps the equity gap at exactly 60, 45, 33 and 20 percent and above zero', () => {
    // 85,000 at the target cap of 8.50% is 1,000,000.
    const points = (listPrice: string) => {
      const inputs = buildFigures({ noiForValue: known('85000.00'), doubted: [] }, { listPrice: known(listPrice) });
      const distress = { ...noDistress, sheriffSale: known({ ...match, confidence: '0.98' }) };
      return scoreMotivatedLead({ ...inputs, distress }, { motivation: [] })?.points.equityGap;
    };
    const prices = [
      '400000',
      '401000',
      '550000',
      '551000',
      '670000',
      '671000',
      '800000',
      '801000',
      '999000',
      '1000000',
    ];
    assert.deepEqual(prices.map(points), [40, 30, 30, 25, 25, 15, 15, 5, 5, 0]);
  });

  it('counts five points per motivation code, at most twenty', () => {
    const inputs = buildScoreInputs(
      {},
      { distress: { ...noDistress, sheriffSale: known({ ...match, confidence: '1' }) } },
    );
    const [signal] = scoreListing(inputs).motivation;
    assert.ok(signal);
    const urgency = (count: number) =>
      scoreMotivatedLead(inputs, { motivation: Array.from({ length: count }, () => signal) })?.rationale.urgency;
    assert.deepEqual([0, 1, 4, 5].map(urgency), [
      '0 points: 0 motivation signals',
      '5 points: 1 motivation signal',
      '20 points: 4 motivation signals',
      '20 points: 5 motivation signals',
    ]);
  });

  it('says when the asking price is unknown', () => {
    const sale = { sheriffSale: known({ ...match, confidence: '0.98' }) };
    for (const listPrice of [absent('not_stated_by_source'), known('0')])
      assert.equal(lead(sale, { listPrice })?.rationale.equityGap, '0 points: asking price is not known');
    const unreliable = lead(sale, { listPrice: known('1100000') });
    assert.equal(unreliable?.rationale.equityGap, '0 points: value at the 8.50% target cap is not known');
  });

  it('claims no equity when the HUD underwriting is not reliable', () => {
    const sale = { sheriffSale: known({ ...match, confidence: '0.98' }) };
    assert.equal(lead(sale, { listPrice: known('1100000') })?.points.equityGap, 0);
  });
});
