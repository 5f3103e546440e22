import { known } from '../../absence.js';
import { blockingFlags } from '../../underwriting/plausibility.js';
import type { InputCollector } from './collect-inputs.js';
import { checkCode, readCode, readDecimal, readLimit, type RationaleInputs, type Verdict } from './judge.js';
import type { Rationale } from './rationale.js';
import type { ScoreFacts } from './score-facts.js';

const dayMs = 86_400_000;

/** Adds what the limits read: the reliability of the underwriting, the age of its interest rate, and any doubt. */
export function addHotInputs({ add }: InputCollector, { values, underwriting, hudYear, today }: ScoreFacts): void {
  const { asOf } = underwriting.rates;
  const age = Math.floor((Date.parse(today) - Date.parse(asOf)) / dayMs);
  const [doubt = 'none'] = blockingFlags(underwriting.dataQuality);
  add('underwrite_reliability', known(values.reliability), 'code', 'computed', hudYear);
  add('rate_age_days', known(String(age)), 'days', 'computed', today);
  add('doubt', known(doubt), 'code', 'computed', today);
}

/**
 * Lowers Hot to Warm where HUD rents do not check the claim (`unchecked`), the interest rate is too old (`rate_stale`),
 * or a stated value is doubted (its code). Each such reason is told, whatever the status.
 */
export function limitHot(verdict: Verdict, inputs: RationaleInputs, thresholds: Rationale['thresholds']): Verdict {
  const isReliable = readCode(inputs, 'underwrite_reliability') === 'ok';
  const isStale = readDecimal(inputs, 'rate_age_days')?.gt(readLimit(thresholds, 'rate_age_days_max')) ?? false;
  const state = !isReliable ? 'unchecked' : isStale ? 'rate_stale' : 'checked';
  const checked = checkCode('hot_checked', state, 'checked');
  const plausible = checkCode('hot_plausible', readCode(inputs, 'doubt') ?? 'none', 'none');
  const limits = [checked, plausible].filter(({ passed }) => !passed).map(({ actual }) => actual);
  const checks = [...verdict.checks, checked, plausible];
  if (verdict.status === 'Hot' && limits.length > 0) return { status: 'Warm', checks, reasons: limits };
  return { ...verdict, checks, reasons: [...verdict.reasons, ...limits] };
}

/** One sentence on what keeps a path from Hot; undefined where its first reason is another. */
export function summarizeLimit([reason = '']: Verdict['reasons']): string | undefined {
  if (reason === 'unchecked') return 'The Hot marks are reached, but HUD rent cannot check the claim.';
  if (reason === 'rate_stale') return 'The Hot marks are reached, but the interest rate behind them is too old.';
  return blockingFlags([reason]).length > 0 ? 'The Hot marks are reached, but a stated value is doubted.' : undefined;
}
