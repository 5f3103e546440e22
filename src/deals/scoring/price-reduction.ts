import { absent, isKnown, known, type Maybe } from '../../absence.js';
import type { Listing, ObservedPrice } from '../../listings/listing.js';
import { Exact, publish, publishedExact } from '../../underwriting/decimal.js';
import { readOffer } from './price-events.js';

/**
 * Price drop from the first price of the present offer to its latest settled one, as this service's own runs saw them,
 * percent with one digit; "0.0" without a drop. Prices count as published, in cents. Absent (`not_yet_observed`) before
 * a second observation of a positive price, and `suppressed_by_policy` when prices must not be shown.
 */
export function priceReductionPct(listing: Pick<Listing, 'listPrice' | 'prices'>): Maybe<string> {
  const drop = readDrop(listing);
  return isKnown(drop) ? known(publish(drop.value.usd.div(drop.value.from).times(100), 1)) : drop;
}

/** The same drop in USD, with cents. */
export function priceCutUsd(listing: Pick<Listing, 'listPrice' | 'prices'>): Maybe<string> {
  const drop = readDrop(listing);
  return isKnown(drop) ? known(publish(drop.value.usd, 2)) : drop;
}

/** The asking price that is news: without changes that are not settled, or under both 1.0% and 500. */
export function toldPrice({ listPrice, prices }: Pick<Listing, 'listPrice' | 'prices'>): Listing['listPrice'] {
  return isKnown(listPrice) ? known(readOffer(prices).told?.price ?? listPrice.value) : listPrice;
}

function readDrop({ listPrice, prices }: Pick<Listing, 'listPrice' | 'prices'>) {
  const isSuppressed = !isKnown(listPrice) && listPrice.absent === 'suppressed_by_policy';
  const none = absent(isSuppressed ? 'suppressed_by_policy' : 'not_yet_observed');
  const { first, settled } = readOffer(prices);
  if (first === undefined || settled === undefined || prices.length < 2) return none;
  const [from, to] = [publishedExact(first.price), publishedExact(settled.price)];
  return from.gt(0) ? known({ from, usd: Exact.max(0, from.minus(to)) }) : none;
}

/** The cuts of the present offer, and whether its latest settled price is under its first. */
export function readCuts({ prices }: Pick<Listing, 'prices'>): {
  readonly cuts: readonly ObservedPrice[];
  readonly isReduced: boolean;
} {
  const { points, first, settled } = readOffer(prices);
  const isReduced = first !== undefined && settled !== undefined && isUnder(settled, first);
  return { cuts: points.filter(({ event }) => event === 'cut'), isReduced };
}

function isUnder(one: ObservedPrice, other: ObservedPrice): boolean {
  return publishedExact(one.price).lt(publishedExact(other.price));
}
