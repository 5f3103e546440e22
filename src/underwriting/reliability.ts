import type { Exact } from './decimal.js';

/** Whether HUD rents fit the price per unit; `unknown` when rent, units or price is absent. */
export type UnderwriteReliability = 'ok' | 'proxy_out_of_range' | 'unknown';

/**
 * @param grossRent 12 x gross two-bedroom rent x units
 * @param maxMultiple the highest price over that rent
 */
export function rateReliability(
  price: Exact | undefined,
  grossRent: Exact | undefined,
  maxMultiple: Exact,
): UnderwriteReliability {
  if (price === undefined || grossRent === undefined) return 'unknown';
  return price.gt(grossRent.times(maxMultiple)) ? 'proxy_out_of_range' : 'ok';
}
