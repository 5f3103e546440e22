import { absent, isKnown, known, type Maybe } from '../../absence.js';
import { confidenceRules, dealScoreRules } from '../scoring/rule-sets.js';
import { Exact, publish } from '../../underwriting/decimal.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import type { ReportInputs } from './report-inputs.js';
import type { ConfidenceBreakdown, DealScoreBreakdown } from './report.js';

/** The deal score by component, as published with the record. */
export function breakDownDealScore({ score, distress, motivationCount }: ReportInputs): DealScoreBreakdown {
  const { taxDelinquency, sheriffSale } = distress;
  return {
    ruleVersion: dealScoreRules.version,
    total: score.dealScore,
    parts: score.dealScoreParts,
    scoredYieldPct: score.scoredYieldPct,
    scoredDscr: score.scoredDscr,
    motivationCount,
    taxAmount: ofMatch(taxDelinquency, ({ amount }) => amount),
    taxMatchConfidence: ofMatch(taxDelinquency, ({ confidence }) => confidence),
    sheriffMatchConfidence: ofMatch(sheriffSale, ({ confidence }) => confidence),
    thresholds: dealScoreRules.thresholds,
  };
}

/** Recomputes the confidence from its ten inputs. */
export function breakDownConfidence({ confidenceInputs: inputs }: ReportInputs, { reliability }: Underwriting) {
  const { version, thresholds } = confidenceRules;
  const groundings = Object.values(inputs);
  const factor = reliability === 'proxy_out_of_range' ? thresholds.out_of_range_factor : '1';
  const mean = groundings.reduce((sum, each) => sum.plus(each), new Exact(0)).div(groundings.length);
  const breakdown: ConfidenceBreakdown = {
    ruleVersion: version,
    score: publish(mean.times(factor), 2),
    inputs,
    factor,
  };
  return breakdown;
}

/** An unmatched record has two causes: none are collected, or none is of this deal. */
function ofMatch<T>(match: Maybe<T>, read: (match: T) => string): Maybe<string> {
  if (isKnown(match)) return known(publish(new Exact(read(match.value)), 2));
  return absent(match.absent === 'not_collected' ? 'not_collected' : 'not_applicable');
}
