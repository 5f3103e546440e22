import { absent, isKnown, known, type Maybe } from '../../absence.js';
import { collectInputs } from '../scoring/collect-inputs.js';
import { scoreDeal } from '../scoring/deal-score.js';
import { confidenceRules, dealScoreRules } from '../scoring/rule-sets.js';
import { scoredDscr, scoredYield } from '../scoring/scored-figures.js';
import { Exact, publish } from '../../underwriting/decimal.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import type { ReportInputs } from './report-inputs.js';
import type { ConfidenceBreakdown, DealScoreBreakdown } from './report.js';

/** Recomputes the deal score by component from the figures as published. */
export function breakDownDealScore(reportInputs: ReportInputs, underwriting: Underwriting): DealScoreBreakdown {
  const { inputs: stated, distress, motivationCount, scoredOn } = reportInputs;
  const { inputs, add } = collectInputs();
  const cap = isKnown(stated.capRate) ? known(publish(new Exact(stated.capRate.value), 2)) : stated.capRate;
  add('cap_rate', cap, 'percent', 'stated_by_source', scoredOn);
  add('cap_rate_underwritten', underwriting.capRateUnderwritten, 'percent', 'underwritten', scoredOn);
  add('dscr', underwriting.dscr, 'ratio', 'computed', scoredOn);
  add('dscr_underwritten', underwriting.dscrUnderwritten, 'ratio', 'underwritten', scoredOn);
  add('underwrite_reliability', known(underwriting.reliability), 'code', 'computed', scoredOn);
  const { version, thresholds } = dealScoreRules;
  const score = scoreDeal({ rental: inputs, motivationCount, distress, listPrice: stated.listPrice });
  const [yieldPct, dscr] = [scoredYield(inputs, thresholds), scoredDscr(inputs)];
  const { taxDelinquency, sheriffSale } = distress;
  return {
    ruleVersion: version,
    total: score.dealScore,
    parts: score.dealScoreParts,
    scoredYieldPct: yieldPct === undefined ? absent('insufficient_inputs') : known(publish(yieldPct, 2)),
    scoredDscr: dscr === undefined ? underwriting.dscr : known(publish(dscr, 2)),
    motivationCount,
    taxAmount: ofMatch(taxDelinquency, ({ amount }) => amount),
    taxMatchConfidence: ofMatch(taxDelinquency, ({ confidence }) => confidence),
    sheriffMatchConfidence: ofMatch(sheriffSale, ({ confidence }) => confidence),
    thresholds,
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
