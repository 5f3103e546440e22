import assert from 'node:assert/strict';
import fc from 'fast-check';
import { absent, known } from '../../../src/absence.js';
import { scoreDeal, type DealScoreInputs } from '../../../src/deals/scoring/deal-score.js';
import type { RationaleInputs } from '../../../src/deals/scoring/judge.js';
import type { DistressMatches, Score } from '../../../src/deals/scoring/score.js';
import { noDistress } from './build-score-inputs.js';

/** The rental path's inputs with these values. */
function rental(values: Readonly<Record<string, string>>): RationaleInputs {
  const entries = Object.entries(values).map(([name, value]) => {
    return [name, { value, unit: 'percent', basis: 'computed', asOf: 'FY2025' } as const];
  });
  return Object.fromEntries(entries);
}

function parts(inputs: Partial<DealScoreInputs>): Score['dealScoreParts'] {
  const none = { rental: {}, motivationCount: 0, distress: noDistress, listPrice: known('420000') };
  return scoreDeal({ ...none, ...inputs }).dealScoreParts;
}

const match = { confidence: '0.90', sourceUrl: 'https://county.example/1', observedAt: new Date(0) };
function taxMatch(amount: string): DistressMatches {
  return { ...noDistress, taxDelinquency: known({ ...match, amount }) };
}

describe('scoreDeal', () => {
  it('scores nothing as 0 and everything as 100', () => {
    assert.equal(
      scoreDeal({ rental: {}, motivationCount: 0, distress: noDistress, listPrice: known('1') }).dealScore,
      0,
    );
    const best = rental({
      cap_rate: '12.00',
      cap_rate_underwritten: '11.00',
      dscr: '1.90',
      underwrite_reliability: 'ok',
    });
    const distress = { taxDelinquency: known({ ...match, amount: '90000' }), sheriffSale: known(match) };
    const sure = { ...distress, sheriffSale: known({ ...match, confidence: '1.00' }) };
    const { dealScore } = scoreDeal({ rental: best, motivationCount: 9, distress: sure, listPrice: known('420000') });
    assert.equal(dealScore, 100);
  });

  it('starts the yield above 4.00% and fills it at 10.00%', () => {
    const points = (cap: string): string => parts({ rental: rental({ cap_rate_underwritten: cap }) }).yield;
    assert.deepEqual(['3.00', '4.00', '7.00', '10.00', '12.00'].map(points), [
      '0.00',
      '0.00',
      '20.00',
      '40.00',
      '40.00',
    ]);
  });

  it('starts the DSCR above 0.90 and fills it at 1.50', () => {
    const points = (dscr: string): string => parts({ rental: rental({ dscr }) }).dscr;
    assert.deepEqual(['0.50', '0.90', '1.20', '1.50', '2.00'].map(points), ['0.00', '0.00', '12.50', '25.00', '25.00']);
  });

  it('counts five points per motivation code, at most twenty', () => {
    const points = (motivationCount: number): string => parts({ motivationCount }).motivation;
    assert.deepEqual([0, 1, 4, 5].map(points), ['0.00', '5.00', '20.00', '20.00']);
  });

  it('adds points for a tax match, more from exactly 2% of the price, each times the confidence', () => {
    assert.equal(parts({ distress: taxMatch('8399.99') }).distress, '7.20');
    assert.equal(parts({ distress: taxMatch('8400') }).distress, '9.90');
    assert.equal(parts({ distress: taxMatch('8400'), listPrice: absent('parse_failed') }).distress, '7.20');
    assert.equal(parts({ distress: { ...noDistress, sheriffSale: known(match) } }).distress, '10.80');
  });

  it('compares amount and price as published: 8,399.996 is 8,400.00, and 2% of 420,000.004', () => {
    assert.equal(parts({ distress: taxMatch('8399.996') }).distress, '9.90');
    assert.equal(parts({ distress: taxMatch('8399.994') }).distress, '7.20');
    assert.equal(parts({ distress: taxMatch('8400'), listPrice: known('420000.004') }).distress, '9.90');
    assert.equal(parts({ distress: taxMatch('8400'), listPrice: known('420000.005') }).distress, '7.20');
    assert.equal(parts({ distress: taxMatch('8400'), listPrice: known('0.004') }).distress, '7.20');
  });

  it('caps distress at fifteen points', () => {
    const both = { ...taxMatch('8400'), sheriffSale: known(match) };
    assert.equal(parts({ distress: both }).distress, '15.00');
  });

  it('rounds half up, once: 34.50 is 35', () => {
    // 20.00 for the yield, 12.50 for the DSCR, 8 x 0.25 for the tax match.
    const inputs = rental({ cap_rate_underwritten: '7.00', dscr: '1.20', underwrite_reliability: 'ok' });
    const distress = { ...noDistress, taxDelinquency: known({ ...match, amount: '1', confidence: '0.25' }) };
    const { dealScore } = scoreDeal({ rental: inputs, motivationCount: 0, distress, listPrice: known('420000') });
    assert.equal(dealScore, 35);
  });

  it('is an integer from 0 to 100 for any figures, equal to its parts within a point', () => {
    const figure = fc.integer({ min: -2000, max: 5000 }).map((cents) => (cents / 100).toFixed(2));
    const inputs = fc.record(
      {
        cap_rate: figure,
        cap_rate_underwritten: figure,
        dscr: figure,
        dscr_underwritten: figure,
        underwrite_reliability: fc.constantFrom('ok', 'proxy_out_of_range', 'unknown'),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(inputs, fc.nat(14), fc.nat(100), (figures, motivationCount, confidence) => {
        const sure = { ...match, confidence: (confidence / 100).toFixed(2) };
        const given = Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined));
        const { dealScore, dealScoreParts } = scoreDeal({
          rental: rental(given),
          motivationCount,
          distress: { taxDelinquency: known({ ...sure, amount: '9000' }), sheriffSale: known(sure) },
          listPrice: known('420000'),
        });
        assert.ok(Number.isInteger(dealScore) && dealScore >= 0 && dealScore <= 100);
        const sum = Object.values(dealScoreParts).reduce((total, part) => total + Number(part), 0);
        assert.ok(Math.abs(sum - dealScore) <= 0.52, `${sum} ${dealScore}`);
      }),
    );
  });
});
