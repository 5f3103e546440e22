import { Exact, exactOf } from '../../underwriting/decimal.js';
import { readCode, readDecimal, type RationaleInputs, type Thresholds } from './judge.js';

/**
 * The cap rate that counts for a score, percent. Undefined when there is neither a claimed nor an underwritten cap.
 * - With a reliable HUD underwriting: the claim, at most an allowance above the underwritten cap.
 * - A claim that HUD rent cannot check (out of range, or no rent, units or price): the claim up to a limit, less a
 *   haircut.
 * - Without a claim: the underwritten cap.
 * - Never more than the stated NOI yields at the asking price.
 */
export function scoredYield(inputs: RationaleInputs, at: Thresholds): Exact | undefined {
  const [supported, stated] = [supportedYield(inputs, at), readDecimal(inputs, 'stated_yield')];
  return supported && stated ? Exact.min(supported, stated) : supported;
}

function supportedYield(inputs: RationaleInputs, at: Thresholds): Exact | undefined {
  const claimed = readDecimal(inputs, 'cap_rate');
  const underwritten = readDecimal(inputs, 'cap_rate_underwritten');
  if (claimed === undefined) return underwritten;
  if (readCode(inputs, 'underwrite_reliability') === 'ok' && underwritten !== undefined) {
    return Exact.min(claimed, underwritten.plus(exactOf(at('claim_allowance_pct'))));
  }
  return Exact.min(claimed, exactOf(at('unchecked_cap_limit_pct'))).minus(exactOf(at('unchecked_haircut_pct')));
}

/**
 * The DSCR that counts for a score; undefined when the row has none. With a reliable HUD underwriting it is the lower
 * of the row's and the underwritten DSCR, since the DSCR of an advertised cap only restates that cap.
 */
export function scoredDscr(inputs: RationaleInputs): Exact | undefined {
  const dscr = readDecimal(inputs, 'dscr');
  const underwritten = readDecimal(inputs, 'dscr_underwritten');
  if (dscr === undefined || underwritten === undefined) return dscr;
  return readCode(inputs, 'underwrite_reliability') === 'ok' ? Exact.min(dscr, underwritten) : dscr;
}
