import type { Exact } from './decimal.js';

/** Whether HUD rents fit the price per unit; `unknown` when rent, units or price is absent. */
export type UnderwriteReliability = 'ok' | 'proxy_out_of_range' | 'unknown';

/** @param multiple price / (12 x gross two-bedroom rent x units) */
export function rateReliability(multiple: Exact | undefined, maxMultiple: Exact): UnderwriteReliability {
  if (multiple === undefined) return 'unknown';
  return multiple.gt(maxMultiple) ? 'proxy_out_of_range' : 'ok';
}
