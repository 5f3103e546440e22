import { Exact } from '../../underwriting/decimal.js';
import { readCode, readDecimal, readLimit, type RationaleInputs } from './judge.js';
import type { Rationale } from './rationale.js';

/**
 * The cap rate that counts for a score, percent. With a reliable HUD underwrite the claim counts up to an allowance
 * above the underwritten cap; a claim that the HUD rent cannot check (out of range, or no rent, units or price) counts
 * up to a limit, less a haircut; without a claim the underwritten cap counts. Undefined when there is neither.
 */
export function scoredYield(inputs: RationaleInputs, thresholds: Rationale['thresholds']): Exact | undefined {
  const claimed = readDecimal(inputs, 'cap_rate');
  const underwritten = readDecimal(inputs, 'cap_rate_underwritten');
  if (claimed === undefined) return underwritten;
  if (readCode(inputs, 'underwrite_reliability') === 'ok' && underwritten !== undefined) {
    return Exact.min(claimed, underwritten.plus(readLimit(thresholds, 'claim_allowance_pct')));
  }
  return Exact.min(claimed, readLimit(thresholds, 'unchecked_cap_limit_pct')).minus(
    readLimit(thresholds, 'unchecked_haircut_pct'),
  );
}

/**
 * The DSCR that counts for a score: where the HUD underwrite is reliable the lower of the row's and the underwritten
 * one, since the DSCR of an advertised cap only restates that cap. Undefined when the row has none.
 */
export function scoredDscr(inputs: RationaleInputs): Exact | undefined {
  const dscr = readDecimal(inputs, 'dscr');
  const underwritten = readDecimal(inputs, 'dscr_underwritten');
  if (dscr === undefined || underwritten === undefined) return dscr;
  return readCode(inputs, 'underwrite_reliability') === 'ok' ? Exact.min(dscr, underwritten) : dscr;
}
