import { isKnown, known, type Maybe } from '../../../absence.js';
import { Exact, exactOf, publish } from '../../../underwriting/decimal.js';
import { publishedValueAtCap } from '../../../underwriting/ratios.js';
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
import { maximumAllowableOffer } from './offer-limit.js';
import { addLimits, limitHot, summarizeLimit } from '../hot-limits.js';
import type { PathStatus, Rationale } from '../rationale.js';
import { rateRehab } from './rehab-level.js';
import { wholesaleRules, type RuleSet } from '../rule-sets.js';
import type { ScoreFacts } from '../score-facts.js';
import { stateNotices } from '../state-notices.js';

/**
 * Judges the wholesale path: the asking price against the maximum allowable offer. An unknown metro median leaves the
 * declared exit cap.
 * - Hot: at or under the offer, with motivation.
 * - Warm: up to a tenth above it, or up to a fifth with strong motivation.
 * - Pass: otherwise, including without an after-repair value (`no_arv_basis`: HUD rents do not check the claim).
 * - What is doubted, or underwritten at an old interest rate, is never Hot (`limitHot`).
 */
export function assessWholesale(facts: ScoreFacts, rules: RuleSet = wholesaleRules): Rationale {
  const { listing, underwriting, values, hudYear, statedOn, today } = facts;
  const { at, read: thresholds } = collectThresholds(rules.thresholds);
  const rehab = rateRehab(listing, facts.remarks, () => at('rehab_light_year_min'));
  const collector = collectInputs();
  const { inputs, missing, add } = collector;
  add('list_price', values.listPrice, 'usd', 'stated_by_source', statedOn);
  add('units', asText(values.units), 'count', 'stated_by_source', statedOn);
  add('noi_for_arv', underwriting.noiForArv, 'usd', 'computed', hudYear);
  if (isKnown(underwriting.noiForArv))
    add('metro_median_cap_rate', facts.metroMedianCapPct, 'percent', 'computed', today);
  // Where nothing is said of its condition, the year decides.
  if (rehab.basis !== 'stated_by_source')
    add('year_built', asText(listing.yearBuilt), 'count', 'stated_by_source', statedOn);
  add('rehab_level', known(rehab.level), 'code', rehab.basis, statedOn);
  add('motivation_score', known(String(facts.motivationCount)), 'count', 'computed', today);
  addLimits(collector, facts);

  const figures = computeOffer(inputs, at);
  const verdict = judge(inputs, figures, at);
  add('repairs', asFigure(figures.repairs), 'usd', 'assumed', statedOn);
  add('arv', asFigure(figures.arv), 'usd', 'computed', hudYear);
  add('mao', asFigure(figures.mao), 'usd', 'computed', hudYear);
  return {
    path: 'wholesale',
    ruleVersion: rules.version,
    status: verdict.status,
    checks: verdict.checks,
    reasons: verdict.reasons,
    summary: summarize(verdict),
    inputs,
    thresholds,
    missing,
    stateNotices: stateNotices('wholesale', listing.state),
  };
}

/**
 * Recomputes the status from a rationale's inputs and thresholds alone.
 *
 * @throws RangeError when a threshold is missing
 */
export function replayWholesaleStatus({ inputs, thresholds }: Pick<Rationale, 'inputs' | 'thresholds'>): PathStatus {
  const { at } = collectThresholds(thresholds);
  return judge(inputs, computeOffer(inputs, at), at).status;
}

interface OfferFigures {
  readonly repairs: Exact | undefined;
  /** After-repair value, USD with cents; only where HUD rents check the claim. */
  readonly arv: Exact | undefined;
  readonly mao: Exact | undefined;
}

function computeOffer(inputs: RationaleInputs, at: Thresholds): OfferFigures {
  const limit = (name: string): Exact => exactOf(at(name));
  const median = readDecimal(inputs, 'metro_median_cap_rate');
  const exitCapPct = Exact.max(limit('exit_cap_rate_min'), median ?? 0);
  const level = readCode(inputs, 'rehab_level');
  const units = readDecimal(inputs, 'units');
  const repairs = level === undefined ? undefined : units?.times(limit(`rehab_${level}_per_unit`));
  const noi = readDecimal(inputs, 'noi_for_arv');
  const arv = noi?.gt(0) ? publishedValueAtCap(noi, exitCapPct) : undefined;
  const costs = repairs && [repairs, limit('assignment_fee')];
  const mao = arv && costs && maximumAllowableOffer(arv, limit('arv_factor'), costs).toDecimalPlaces(2);
  return { repairs, arv, mao };
}

function judge(inputs: RationaleInputs, figures: OfferFigures, at: Thresholds): Verdict {
  return limitHot(judgePrice(inputs, figures, at), inputs);
}

function judgePrice(inputs: RationaleInputs, { arv, mao }: OfferFigures, at: Thresholds): Verdict {
  const stated = readDecimal(inputs, 'list_price');
  const price = stated?.gt(0) ? stated : undefined;
  const motivation = readDecimal(inputs, 'motivation_score');
  const atMao = check('list_price_at_mao', price, '<=', mao);
  const nearMao = check('list_price_near_mao', price, '<=', mao?.times(at('warm_mao_factor')));
  const farMao = check('list_price_far_mao', price, '<=', mao?.times(at('warm_motivated_mao_factor')));
  const someMotivation = check('hot_motivation', motivation, '>=', at('hot_motivation_min'));
  const strongMotivation = check('warm_motivation', motivation, '>=', at('warm_motivation_min'));
  const checks = made(atMao, nearMao, farMao, someMotivation, strongMotivation);

  if (passed(atMao) && passed(someMotivation)) return { status: 'Hot', checks, reasons: ['list_price_within_mao'] };
  if (passed(nearMao)) {
    const reason = passed(atMao) ? 'within_mao_without_motivation' : 'list_price_near_mao';
    return { status: 'Warm', checks, reasons: [reason] };
  }
  if (passed(farMao) && passed(strongMotivation)) {
    return { status: 'Warm', checks, reasons: ['strong_motivation_near_mao'] };
  }
  if (arv === undefined) return { status: 'Pass', checks, reasons: ['no_arv_basis'] };
  return { status: 'Pass', checks, reasons: [failed(nearMao) ? 'list_price_above_mao' : 'inputs_missing'] };
}

const summaries: Readonly<Record<string, string>> = {
  list_price_within_mao: 'The asking price is at or under the maximum allowable offer, and the sale shows motivation.',
  within_mao_without_motivation:
    'The asking price is at or under the maximum allowable offer, without a motivation signal.',
  list_price_near_mao: 'The asking price is a little above the maximum allowable offer.',
  strong_motivation_near_mao:
    'The asking price is above the maximum allowable offer, but the sale shows strong motivation.',
  no_arv_basis: 'There is no reliable HUD underwrite to derive an after-repair value from.',
  list_price_above_mao: 'The asking price is too far above the maximum allowable offer.',
};

function summarize({ reasons }: Verdict): string {
  return (
    summarizeLimit(reasons) ??
    summaries[reasons[0] ?? ''] ??
    'The asking price cannot be compared with a maximum allowable offer.'
  );
}

function asText(count: Maybe<number>): Maybe<string> {
  return isKnown(count) ? known(String(count.value)) : count;
}

function asFigure(value: Exact | undefined): Maybe<string> {
  return value === undefined ? { absent: 'no_arv_basis' } : known(publish(value, 2));
}
