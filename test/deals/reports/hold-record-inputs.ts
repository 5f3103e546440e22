import assert from 'node:assert/strict';
import type { Report } from '../../../generated/types.gen.js';

/** Asserts that the inputs that a record gives for recomputing it are those of its report. */
export function holdRecordInputs({ deal, underwriting: stated, scoring }: Report): void {
  const { underwriting_inputs: inputs, score_inputs: scored } = deal;
  if (inputs === null) {
    assert.equal(deal.noi_underwritten, null);
    assert.deepEqual(deal.absent.underwriting_inputs, deal.absent.noi_underwritten);
  } else {
    const [twoBedroom] = inputs.unit_mix;
    const allowance = Number(twoBedroom?.utility_allowance).toFixed(2);
    assert.ok([0, Number(stated.assumption_set.utility_allowances[2])].includes(Number(allowance)) || stated.unit_mix);
    const mix = stated.unit_mix ?? [
      { bedrooms: 2, units: deal.units, market_rent: deal.market_rent_2br, utility_allowance: allowance },
    ];
    assert.equal(inputs.unit_mix_basis, stated.unit_mix === null ? 'assumed_2br' : 'stated');
    assert.ok(twoBedroom && Number(twoBedroom.units) > 0);
    assert.deepEqual(
      inputs.unit_mix.map(({ bedrooms, units, gross_rent: rent, utility_allowance: tenants }) => ({
        ...{ bedrooms, units },
        market_rent: Number(rent).toFixed(2),
        utility_allowance: Number(tenants).toFixed(2),
      })),
      mix,
    );
    assert.deepEqual(
      Object.entries(inputs.expenses),
      stated.expenses?.map(({ line, amount }) => [line, amount]),
    );
    const { absent: _, unit_mix: __, unit_mix_basis: ___, expenses: ____, assumption_set: version, ...others } = inputs;
    const { hud_fiscal_year: year, ...same } = others;
    assert.deepEqual({ ...stated, ...same, rent_fiscal_year: year }, stated);
    assert.equal(version, stated.assumption_set.version);
  }
  const { deal_score: score, confidence } = scoring;
  assert.deepEqual([scored.yield, scored.scored_dscr], [score.scored_yield_pct, score.scored_dscr]);
  assert.deepEqual(
    Object.values(scored.points),
    [score.yield_points, score.dscr_points, score.motivation_points, score.distress_points].map(
      (points) => Math.round(Number(points) * 10) / 10,
    ),
  );
  assert.deepEqual(scored.confidence, Object.values(confidence.inputs).map(Number));
  const { tax_confidence: tax, tax_amount: amount, sale_confidence: sale } = scored.distress_matches;
  assert.deepEqual([tax, amount, sale], [score.tax_match_confidence, score.tax_amount, score.sheriff_match_confidence]);
  assert.equal(
    stated.min_dscr,
    stated.assumption_set[scored.nonmetropolitan ? 'min_dscr_nonmetropolitan' : 'min_dscr'],
  );
}
