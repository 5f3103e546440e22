import type * as Wire from '../../../generated/types.gen.js';
import type { Report } from '../../deals/reports/report.js';
import { createAbsence } from '../absence.js';

/** The scoring section of a report; rationales and motivation come from the record. */
export function scoringToWire({ dealScore, confidence }: Report, deal: Wire.Deal): Wire.ReportScoring {
  return {
    rationales: deal.rationales,
    motivation_signals: deal.motivation_signals,
    deal_score: dealScoreToWire(dealScore),
    confidence: {
      rule_version: confidence.ruleVersion,
      score: confidence.score,
      // Each is "1", "0.5" or "0"; the contract's proof checks it.
      inputs: { ...confidence.inputs } as Wire.ConfidenceParts['inputs'],
      factor: confidence.factor,
    },
  };
}

function dealScoreToWire(score: Report['dealScore']): Wire.DealScoreParts {
  const { absentFields, take } = createAbsence<Wire.DealScoreParts['absent']>();
  return {
    rule_version: score.ruleVersion,
    total: score.total,
    yield_points: score.parts.yield,
    dscr_points: score.parts.dscr,
    motivation_points: score.parts.motivation,
    distress_points: score.parts.distress,
    scored_yield_pct: take('scored_yield_pct', score.scoredYieldPct),
    scored_dscr: take('scored_dscr', score.scoredDscr),
    motivation_count: score.motivationCount,
    tax_amount: take('tax_amount', score.taxAmount),
    tax_match_confidence: take('tax_match_confidence', score.taxMatchConfidence),
    sheriff_match_confidence: take('sheriff_match_confidence', score.sheriffMatchConfidence),
    thresholds: { ...score.thresholds },
    absent: absentFields,
  };
}
