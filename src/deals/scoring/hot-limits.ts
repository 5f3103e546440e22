import { known } from '../../absence.js';
import { ageOfRates } from '../../underwriting/mortgage-rates.js';
import { blockingFlags } from '../../underwriting/plausibility.js';
import type { InputCollector } from './collect-inputs.js';
import { checkCode, readCode, type RationaleInputs, type Verdict } from './judge.js';
import type { ScoreFacts } from './score-facts.js';

/**
 * Adds what keeps a deal from Hot, and only that: HUD rents do not check the claim (`unchecked`), the interest rate is
 * too old (`rate_stale`), or a stated value is doubted (its code).
 */
export function addLimits({ add }: InputCollector, { values, underwriting, today }: ScoreFacts): void {
  const isStale = ageOfRates(underwriting.rates, new Date(today)) === 'stale';
  const state = values.reliability !== 'ok' ? 'unchecked' : isStale ? 'rate_stale' : undefined;
  const [doubt] = blockingFlags(underwriting.dataQuality);
  if (state !== undefined) add('hot_checked', known(state), 'code', 'computed', today);
  if (doubt !== undefined) add('hot_plausible', known(doubt), 'code', 'computed', today);
}

/** Lowers Hot to Warm by the limits among the inputs. Each is a failed check and a reason, whatever the status. */
export function limitHot(verdict: Verdict, inputs: RationaleInputs): Verdict {
  const [state, doubt] = [readCode(inputs, 'hot_checked'), readCode(inputs, 'hot_plausible')];
  const failed = [
    ...(state === undefined ? [] : [checkCode('hot_checked', state, 'checked')]),
    ...(doubt === undefined ? [] : [checkCode('hot_plausible', doubt, 'none')]),
  ];
  if (failed.length === 0) return verdict;
  const limits = failed.map(({ actual }) => actual);
  const checks = [...verdict.checks, ...failed];
  if (verdict.status === 'Hot') return { status: 'Warm', checks, reasons: limits };
  return { ...verdict, checks, reasons: [...verdict.reasons, ...limits] };
}

/** One sentence on what keeps a path from Hot; undefined where its first reason is another. */
export function summarizeLimit([reason = '']: Verdict['reasons']): string | undefined {
  if (reason === 'unchecked') return 'The Hot marks are reached, but HUD rent cannot check the claim.';
  if (reason === 'rate_stale') return 'The Hot marks are reached, but the interest rate behind them is too old.';
  return blockingFlags([reason]).length > 0 ? 'The Hot marks are reached, but a stated value is doubted.' : undefined;
}
