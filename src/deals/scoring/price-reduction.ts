import { absent, isKnown, known, type Maybe } from '../../absence.js';
import type { Listing, ObservedPrice } from '../../listings/listing.js';
import { Exact, publish, publishedExact } from '../../underwriting/decimal.js';

/**
 * Price drop from the first to the latest observation of this service's own runs, percent with one digit; "0.0" without
 * a drop. Prices count as published, in cents. Absent (`not_yet_observed`) before a second observation of a positive
 * price, and `suppressed_by_policy` when prices must not be shown.
 */
export function priceReductionPct({ listPrice, prices }: Pick<Listing, 'listPrice' | 'prices'>): Maybe<string> {
  const isSuppressed = !isKnown(listPrice) && listPrice.absent === 'suppressed_by_policy';
  const none = absent(isSuppressed ? 'suppressed_by_policy' : 'not_yet_observed');
  const first = prices[0];
  const latest = prices.at(-1);
  if (first === undefined || latest === undefined || prices.length < 2) return none;
  const [from, to] = [publishedExact(first.price), publishedExact(latest.price)];
  if (!from.gt(0)) return none;
  return known(publish(Exact.max(0, from.minus(to)).div(from).times(100), 1));
}

/** The observations with a lower price than the one before, as published. */
export function priceCuts(prices: readonly ObservedPrice[]): ObservedPrice[] {
  return prices.filter((price, index) => {
    const before = prices[index - 1];
    return before !== undefined && publishedExact(price.price).lt(publishedExact(before.price));
  });
}
