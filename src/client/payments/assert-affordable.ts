import type { Offer } from './choose-offer.js';
import { createPurchaseError } from '../error-classes.js';
import { formatUsd } from './usd.js';

/** The price limit when the buyer sets none: ten cents, in atomic units. */
export const defaultMaxPriceAtomic = 100_000n;

/** @throws PurchaseError `price_above_limit` when an offer exceeds the limit, in atomic units. */
export function assertAffordable({ priceAtomic }: Offer, maxPriceAtomic: bigint): void {
  if (priceAtomic <= maxPriceAtomic) return;
  throw createPurchaseError(
    'price_above_limit',
    `The price is ${formatUsd(priceAtomic)}, above the limit of ${formatUsd(maxPriceAtomic)}. Nothing was signed.`,
  );
}
