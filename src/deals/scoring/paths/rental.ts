import { known } from '../../../absence.js';
import { collectInputs } from '../collect-inputs.js';
import {
  check,
  collectThresholds,
  failed,
  made,
  passed,
  readCode,
  readDecimal,
  type RationaleInputs,
  type Thresholds,
  type Verdict,
} from '../judge.js';
import { addLimits, limitHot, summarizeLimit } from '../hot-limits.js';
import type { PathStatus, Rationale } from '../rationale.js';
import { rentalRules, type RuleSet } from '../rule-sets.js';
import type { ScoreFacts } from '../score-facts.js';
import { scoredDscr, scoredYield } from '../scored-figures.js';
import { stateNotices } from '../state-notices.js';

/**
 * Judges the rental path.
 * - Hot: the advertised cap and the scored DSCR reach their marks, and a reliable HUD underwriting is not too far below
 *   the claim. What is unchecked or doubted is never Hot (`limitHot`).
 * - Warm: the scored yield and DSCR reach the lower marks, or only the gap or the DSCR keeps the deal from Hot.
 * - Pass: otherwise, including absent inputs.
 */
export function assessRental(facts: ScoreFacts, rules: RuleSet = rentalRules): Rationale {
  const { values } = facts;
  const collector = collectInputs();
  const { inputs, missing, add } = collector;
  add('cap_rate', values.capRate, 'percent', 'stated_by_source', facts.statedOn);
  add('stated_yield', values.statedYieldPct, 'percent', 'computed', facts.statedOn);
  add('market_rent_2br', facts.marketRent, 'usd_per_month', facts.rentBasis, facts.hudYear);
  add('cap_rate_underwritten', values.capRateUnderwritten, 'percent', 'underwritten', facts.hudYear);
  add('cap_gap_pct', values.capGapPct, 'percentage_points', 'computed', facts.hudYear);
  add('dscr', values.dscr, 'ratio', values.dscrBasis, facts.statedOn);
  add('dscr_underwritten', values.dscrUnderwritten, 'ratio', 'underwritten', facts.hudYear);
  add('underwrite_reliability', known(values.reliability), 'code', 'computed', facts.hudYear);
  addLimits(collector, facts);

  const { at, read: thresholds } = collectThresholds(rules.thresholds);
  const verdict = judge(inputs, at);
  return {
    path: 'rental',
    ruleVersion: rules.version,
    status: verdict.status,
    checks: verdict.checks,
    reasons: verdict.reasons,
    summary: summarize(verdict),
    inputs,
    thresholds,
    missing,
    stateNotices: stateNotices('rental', facts.listing.state),
  };
}

/**
 * Recomputes the status from a rationale's inputs and thresholds alone.
 *
 * @throws RangeError when a threshold is missing
 */
export function replayRentalStatus({ inputs, thresholds }: Pick<Rationale, 'inputs' | 'thresholds'>): PathStatus {
  return judge(inputs, collectThresholds(thresholds).at).status;
}

function judge(inputs: RationaleInputs, at: Thresholds): Verdict {
  return limitHot(judgeFigures(inputs, at), inputs);
}

function judgeFigures(inputs: RationaleInputs, at: Thresholds): Verdict {
  const dscr = scoredDscr(inputs);
  const hotCap = check('hot_cap_rate', readDecimal(inputs, 'cap_rate'), '>=', at('hot_cap_rate_min'));
  const hotDscr = check('hot_scored_dscr', dscr, '>=', at('hot_dscr_min'));
  const reliable = readCode(inputs, 'underwrite_reliability') === 'ok';
  const gap = reliable ? readDecimal(inputs, 'cap_gap_pct') : undefined;
  const hotGap = check('hot_cap_gap', gap, '<', at('hot_cap_gap_below'));
  const warmYield = check('warm_scored_yield', scoredYield(inputs, at), '>=', at('warm_yield_min'));
  const warmDscr = check('warm_scored_dscr', dscr, '>=', at('warm_dscr_min'));
  const checks = made(hotCap, hotDscr, hotGap, warmYield, warmDscr);

  if (passed(hotCap) && passed(hotDscr) && !failed(hotGap)) {
    return { status: 'Hot', checks, reasons: ['meets_hot_thresholds'] };
  }
  if (passed(hotCap) && (failed(hotDscr) || failed(hotGap)) && dscr !== undefined) {
    const reasons = [...(failed(hotGap) ? ['cap_gap_too_wide'] : []), ...(failed(hotDscr) ? ['dscr_below_hot'] : [])];
    return { status: 'Warm', checks, reasons };
  }
  if (passed(warmYield) && passed(warmDscr)) return { status: 'Warm', checks, reasons: ['meets_warm_thresholds'] };
  const reasons = [
    ...(warmYield === undefined || warmDscr === undefined ? ['inputs_missing'] : []),
    ...(failed(warmYield) ? ['yield_below_warm'] : []),
    ...(failed(warmDscr) ? ['dscr_below_warm'] : []),
  ];
  return { status: 'Pass', checks, reasons };
}

function summarize({ status, reasons }: Verdict): string {
  const limit = summarizeLimit(reasons);
  if (limit !== undefined) return limit;
  if (status === 'Hot') return 'The advertised cap rate and the scored debt coverage both reach the Hot marks.';
  if (reasons.includes('cap_gap_too_wide')) {
    return 'The advertised cap rate reaches the Hot mark, but lies too far above what HUD rent supports.';
  }
  if (reasons.includes('dscr_below_hot')) {
    return 'The advertised cap rate reaches the Hot mark, but the scored debt coverage does not.';
  }
  if (status === 'Warm') return 'The scored yield and the scored debt coverage both reach the Warm marks.';
  if (reasons.includes('inputs_missing')) return 'Yield or debt coverage cannot be told from what is known.';
  return 'The scored yield or debt coverage is under the Warm mark.';
}
