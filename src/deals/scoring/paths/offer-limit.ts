import type { Decimal } from 'decimal.js';
import { Exact } from '../../../underwriting/decimal.js';

/**
 * Maximum allowable offer, USD, unrounded: ARV x factor less repairs, fee and other costs of the deal. A target profit
 * of p percent of the ARV is a factor of 1 - p/100.
 */
export function maximumAllowableOffer(
  arv: Decimal.Value,
  factor: Decimal.Value,
  costs: readonly Decimal.Value[],
): Exact {
  return costs.reduce<Exact>((rest, cost) => rest.minus(cost), new Exact(arv).times(factor));
}
